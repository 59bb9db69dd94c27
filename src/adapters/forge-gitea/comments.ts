// Comments on issues and PRs of a Gitea repository: each key makes one.
import * as z from "zod";
import { OperationError } from "../../lib/operation-error.ts";
import type { Comment } from "../../ports/forge.ts";
import { hasClaim, isOwn, keyMark, withMarks, withoutMarks } from "../shared/forge-marks.ts";
import type { As, Connection } from "./connection.ts";
import { notFound } from "./raw-issue.ts";
import * as shape from "./shapes.ts";

export async function rawComments(
  connection: Connection,
  number: number,
): Promise<shape.RawComment[]> {
  try {
    const all = await connection.read.list({
      what: `read the comments on #${number}`,
      path: connection.at(`/issues/${number}/comments`),
      schema: z.array(shape.comment),
    });
    return all.toSorted((a, b) => a.id - b.id);
  } catch (error) {
    throw (await isMissing(connection, number, error)) ? notFound(`#${number}`) : error;
  }
}

/** Gitea answers 500 where there is no such issue (seen with 1.26). */
async function isMissing(connection: Connection, number: number, error: unknown): Promise<boolean> {
  if (!(error instanceof OperationError) || error.code !== "http-server-error") return false;
  const asked = await connection.read.ask({
    what: `read #${number}`,
    path: connection.at(`/issues/${number}`),
    schema: shape.anything,
    accept: [404],
  });
  return asked.kind === "refused";
}

/** What people and Pawl said; claims are not said, they are held. */
export async function listComments(connection: Connection, number: number): Promise<Comment[]> {
  const all = await rawComments(connection, number);
  return all.filter((raw) => !hasClaim(raw.body ?? "")).map(shownComment);
}

export async function addComment(
  connection: Connection,
  input: { issue: number; body: string; author: string; key: string },
): Promise<Comment> {
  const { issue, body, key } = input;
  const as = await connection.speaker(input.author);
  const mark = keyMark(await connection.key(key));
  return connection.serial(`comment ${issue} ${key}`, async () =>
    shownComment(await postOnce(connection, { issue, body: withMarks(body, mark), mark, as })),
  );
}

/** Posted unless a comment with this mark is there. */
export async function postOnce(
  connection: Connection,
  input: { issue: number; body: string; mark: string; as?: As },
): Promise<shape.RawComment> {
  const { issue, body, mark } = input;
  const all = await rawComments(connection, issue);
  const made = all.find((raw) => raw.body?.includes(mark));
  if (made !== undefined) return made;
  const request = {
    what: `comment on #${issue}`,
    method: "POST" as const,
    path: connection.at(`/issues/${issue}/comments`),
    body: { body },
    schema: shape.comment,
    accept: [404],
  };
  const answer = await connection.change(request, input.as);
  if (answer.kind !== "ok") throw notFound(`issue or PR #${issue}`);
  return answer.body;
}

export const shownComment = (raw: shape.RawComment): Comment => ({
  id: String(raw.id),
  author: raw.user?.login ?? "unknown",
  body: withoutMarks(raw.body ?? ""),
  createdAt: raw.created_at,
  ...(isOwn(raw.body ?? "") && { own: true as const }),
});
