// Who changed labels and state of an issue of a Gitea repository (GET /issues/{index}/timeline).
import type { IssueChange } from "../../ports/forge.ts";
import type { Connection } from "../shared/forge/connection.ts";
import * as shape from "./shapes.ts";

export async function listChanges(connection: Connection, issue: number): Promise<IssueChange[]> {
  const all = await connection.read.list({
    what: `read what was changed of #${issue}`,
    path: connection.at(`/issues/${issue}/timeline`),
    query: connection.dialect.page,
    schema: shape.timeline,
  });
  return all.flatMap((raw) => {
    if (raw === null) return [];
    const kind = kindOf(raw);
    if (kind === undefined) return [];
    const label = raw.label?.name;
    const by = raw.user?.login ?? connection.dialect.unknownAuthor;
    return [{ kind, by, at: raw.created_at, ...(label !== undefined && { label }) }];
  });
}

function kindOf({
  type,
  body,
}: {
  type: string;
  body?: string | null | undefined;
}): IssueChange["kind"] | undefined {
  switch (type) {
    case "label":
      return body === "1" ? "labelled" : "unlabelled";
    case "close":
      return "closed";
    case "reopen":
      return "reopened";
    default:
      return undefined;
  }
}
