// The part of the forge port that is the same on every forge that speaks over HTTP, put together.
import type { Forge } from "../../../ports/forge.ts";
import { claimIssue, claimOf, type Belongings } from "./claim.ts";
import { listComments } from "./comments.ts";
import type { Connection } from "./connection.ts";
import { editIssue, shownIssue } from "./issues.ts";
import { findPr, prsOf } from "./prs.ts";
import { rawIssue } from "./raw-issue.ts";

export type Repository = Pick<
  Forge,
  "issue" | "editIssue" | "comments" | "claim" | "claimOf" | "pr" | "prsOf" | "account"
>;

export function createRepository(connection: Connection, belongings: Belongings): Repository {
  return {
    async issue(number) {
      const raw = await rawIssue(connection, number);
      return raw && shownIssue(connection, raw);
    },
    editIssue: (number, change) => editIssue(connection, belongings, { number, change }),
    comments: (number) => listComments(connection, number),
    claim: (number, key) => claimIssue(connection, belongings, { number, key }),
    claimOf: (number) => claimOf(connection, number),
    pr: (number) => findPr(connection, number),
    prsOf: (issue) => prsOf(connection, issue),
    async account() {
      const login = await connection.login("dev");
      return { login, reviewer: connection.hasReviewer ? await connection.login("review") : login };
    },
  };
}
