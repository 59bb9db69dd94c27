// What GitHub does differently from other forges that speak over HTTP.
import type { Connection, Dialect } from "../shared/forge/connection.ts";
import * as shape from "./shapes.ts";

/** GitHub tells "maintain" as "write" and "triage" as "read". */
const WRITING: ReadonlySet<string> = new Set(["write", "admin"]);

export const GITHUB: Dialect = {
  forge: "GitHub",
  unknownAuthor: "ghost",
  issue: shape.issue,
  pr: shape.pr,
  page: { per_page: 100 },
  commentsPage: { per_page: 100 },
  lastEnded: { query: { sort: "updated", direction: "desc", per_page: 100 }, pages: 1 },
  /** 410: it was deleted, or the repository has no issues. */
  gone: [404, 410],
  unlabelled: [404],
  descriptionMax: 140,
  follow: { attempts: 15, waitMs: 1000 },
  askWhose: () => "ask whose token this is",
  mayWrite,
};

/** Members and collaborators may have no more than read access. */
async function mayWrite(connection: Connection, login: string): Promise<boolean> {
  const answer = await connection.read.ask({
    what: `read what ${login} may do`,
    path: connection.at(`/collaborators/${encodeURIComponent(login)}/permission`),
    schema: shape.permission,
    // The account is gone.
    accept: [404],
  });
  return answer.kind === "ok" && WRITING.has(answer.body.permission);
}
