// What Gitea and Forgejo do differently from other forges that speak over HTTP.
import * as z from "zod";
import { OperationError } from "../../lib/operation-error.ts";
import type { Connection, Dialect } from "../shared/forge/connection.ts";
import { account, anything } from "../shared/forge/shapes.ts";
import * as shape from "./shapes.ts";

export const GITEA: Dialect = {
  forge: "the forge",
  unknownAuthor: "unknown",
  issue: shape.issue,
  pr: shape.pr,
  page: { limit: 50 },
  commentsPage: {},
  lastEnded: { query: { sort: "recentupdate", limit: 50 }, pages: 2 },
  gone: [404],
  unlabelled: [404, 422],
  descriptionMax: 200,
  follow: { attempts: 25, waitMs: 200 },
  askWhose: (as) => `ask whose token ${as === "dev" ? "FORGE_TOKEN" : "FORGE_REVIEW_TOKEN"} is`,
  mayWrite,
  isMissing,
};

/** Gitea tells the right of one account to administrators only, but everybody who can be assigned. */
async function mayWrite(connection: Connection, login: string): Promise<boolean> {
  const writers = await connection.read.get({
    what: "read who may write",
    path: connection.at("/assignees"),
    schema: z.array(account),
  });
  return writers.some((one) => one.login === login);
}

/** Gitea answers 500 where there is no such issue (seen with 1.26). */
async function isMissing(connection: Connection, number: number, error: unknown): Promise<boolean> {
  if (!(error instanceof OperationError) || error.code !== "http-server-error") return false;
  const asked = await connection.read.ask({
    what: `read #${number}`,
    path: connection.at(`/issues/${number}`),
    schema: anything,
    accept: [404],
  });
  return asked.kind === "refused";
}
