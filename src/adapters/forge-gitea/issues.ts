// Issues of a Gitea repository: what is listed, and where what was filed already is found.
import * as z from "zod";
import type { Issue } from "../../core/issue.ts";
import type { Forge } from "../../ports/forge.ts";
import type { As, Connection } from "../shared/forge/connection.ts";
import * as shared from "../shared/forge/issues.ts";
import type { Labels } from "../shared/forge/labels.ts";
import type { RawIssue } from "../shared/forge/shapes.ts";
import { speakerOf } from "./connection.ts";
import * as shape from "./shapes.ts";

const PAGE = 50;
/** How many of its newest issues a repeated call looks through for what the first one made. */
const LOOK_BACK = 100;

export const listIssues = (
  connection: Connection,
  state: "open" | "closed" | "all",
): Promise<Issue[]> => shared.listIssues(connection, { state, type: "issues", limit: PAGE });

export async function createIssue(
  connection: Connection,
  labels: Labels,
  input: Parameters<Forge["createIssue"]>[0],
): Promise<Issue> {
  const as = await speakerOf(connection, input.author);
  const findMade = (mark: string) => madeBefore(connection, { mark, as });
  return shared.fileIssue(connection, labels, { input, as, findMade });
}

async function madeBefore(
  connection: Connection,
  { mark, as }: { mark: string; as: As },
): Promise<RawIssue | undefined> {
  const created_by = await connection.login(as);
  for (let page = 1; page <= LOOK_BACK / PAGE; page += 1) {
    const some = await connection.read.get({
      what: "look whether the issue was filed already",
      path: connection.at("/issues"),
      query: { state: "all", type: "issues", created_by, limit: PAGE, page },
      schema: z.array(shape.issue),
    });
    const found = some.find((raw) => raw.body?.includes(mark));
    if (found !== undefined || some.length < PAGE) return found;
  }
  return undefined;
}
