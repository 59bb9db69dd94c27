// One issue as the forge tells it, and whether it is there: what the other parts build on.
import { OperationError } from "../../../lib/operation-error.ts";
import type { Connection } from "./connection.ts";
import type { RawIssue } from "./shapes.ts";

export const notFound = ({ dialect }: Connection, what: string): OperationError =>
  new OperationError(`cannot find ${what} on ${dialect.forge}`, {
    code: "not-found",
    hint: "`pawl issue list` and `pawl pr list` show the existing numbers",
  });

/** The forges list PRs among the issues. */
export const isPr = (raw: RawIssue): boolean =>
  raw.pull_request !== undefined && raw.pull_request !== null;

export async function rawIssue(
  connection: Connection,
  number: number,
): Promise<RawIssue | undefined> {
  const answer = await connection.read.ask({
    what: `read issue #${number}`,
    path: connection.at(`/issues/${number}`),
    schema: connection.dialect.issue,
    accept: connection.dialect.gone,
  });
  return answer.kind === "ok" && !isPr(answer.body) ? answer.body : undefined;
}

export async function existingIssue(connection: Connection, number: number): Promise<RawIssue> {
  const found = await rawIssue(connection, number);
  if (found === undefined) throw notFound(connection, `issue #${number}`);
  return found;
}
