// One issue as GitHub tells it, and whether it is there: what the other parts build on.
import { OperationError } from "../../lib/operation-error.ts";
import type { Connection } from "./connection.ts";
import * as shape from "./shapes.ts";

/** 410: it was deleted, or the repository has no issues. */
export const GONE = [404, 410];

export const notFound = (what: string): OperationError =>
  new OperationError(`cannot find ${what} on GitHub`, {
    code: "not-found",
    hint: "`pawl issue list` and `pawl pr list` show the numbers there are",
  });

/** GitHub lists PRs among the issues. */
export const isPr = (raw: shape.RawIssue): boolean =>
  raw.pull_request !== undefined && raw.pull_request !== null;

export async function rawIssue(
  connection: Connection,
  number: number,
): Promise<shape.RawIssue | undefined> {
  const answer = await connection.read.ask({
    what: `read issue #${number}`,
    path: connection.at(`/issues/${number}`),
    schema: shape.issue,
    accept: GONE,
  });
  return answer.kind === "ok" && !isPr(answer.body) ? answer.body : undefined;
}

export async function existingIssue(
  connection: Connection,
  number: number,
): Promise<shape.RawIssue> {
  const found = await rawIssue(connection, number);
  if (found === undefined) throw notFound(`issue #${number}`);
  return found;
}
