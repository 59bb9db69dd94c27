// Who changed labels and state of an issue on GitHub ("List timeline events for an issue").
import type { IssueChange } from "../../ports/forge.ts";
import type { Connection } from "../shared/forge/connection.ts";
import * as shape from "./shapes.ts";

const KINDS: Readonly<Record<string, IssueChange["kind"]>> = {
  labeled: "labelled",
  unlabeled: "unlabelled",
  closed: "closed",
  reopened: "reopened",
};

export async function listChanges(connection: Connection, issue: number): Promise<IssueChange[]> {
  const all = await connection.read.list({
    what: `read what was changed of #${issue}`,
    path: connection.at(`/issues/${issue}/timeline`),
    query: connection.dialect.page,
    schema: shape.timeline,
  });
  return all.flatMap(({ event, actor, label, created_at: at }) => {
    const kind = KINDS[event ?? ""];
    if (kind === undefined || typeof at !== "number") return [];
    const by = actor?.login ?? connection.dialect.unknownAuthor;
    return [{ kind, by, at, ...(label?.name !== undefined && { label: label.name }) }];
  });
}
