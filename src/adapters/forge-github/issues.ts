// Issues of a GitHub repository: what is listed, and where what was filed already is found.
import * as z from "zod";
import type { Issue } from "../../core/issue.ts";
import type { Connection } from "../shared/forge/connection.ts";
import * as shared from "../shared/forge/issues.ts";
import type { RawIssue } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

const PAGE = 100;

/** Asked with the ETag of the last answer: where nothing changed, it costs none of the rate limit. */
export const listIssues = (
  connection: Connection,
  state: "open" | "closed" | "all",
): Promise<Issue[]> =>
  shared.listIssues(connection, { state, sort: "created", direction: "asc", per_page: PAGE });

/** Among the newest hundred of our own: a call is repeated soon, or never. */
export async function madeBefore(
  connection: Connection,
  mark: string,
): Promise<RawIssue | undefined> {
  const creator = await connection.login("dev");
  const some = await connection.read.get({
    what: "look whether the issue was filed already",
    path: connection.at("/issues"),
    query: { state: "all", creator, per_page: PAGE },
    schema: z.array(shape.issue),
  });
  return some.find((raw) => raw.body?.includes(mark));
}
