// Comments on issues and PRs: each key makes one.
import * as z from "zod";
import type { Comment } from "../../../ports/forge.ts";
import { hasClaim, isOwn, keyMark, withMarks, withoutMarks } from "../forge-marks.ts";
import type { As, Connection } from "./connection.ts";
import { notFound } from "./raw-issue.ts";
import * as shape from "./shapes.ts";

export async function rawComments(
  connection: Connection,
  number: number,
): Promise<shape.RawComment[]> {
  const { dialect } = connection;
  try {
    const all = await connection.read.list({
      what: `read the comments on #${number}`,
      path: connection.at(`/issues/${number}/comments`),
      query: dialect.commentsPage,
      schema: z.array(shape.comment),
    });
    return all.toSorted((a, b) => a.id - b.id);
  } catch (error) {
    const missing = await dialect.isMissing?.(connection, number, error);
    throw missing === true ? notFound(connection, `#${number}`) : error;
  }
}

/** What people and Pawl said; claims are not said, they are held. */
export async function listComments(connection: Connection, number: number): Promise<Comment[]> {
  const all = await rawComments(connection, number);
  return all.filter((raw) => !hasClaim(raw.body ?? "")).map((raw) => shownComment(connection, raw));
}

export function addComment(
  connection: Connection,
  input: { issue: number; body: string; key: string; as?: As },
): Promise<Comment> {
  const { issue, body, key, as = "dev" } = input;
  return connection.serial(`comment ${issue} ${key}`, async () => {
    const mark = keyMark(await connection.key(key));
    const posted = await postOnce(connection, { issue, body: withMarks(body, mark), mark, as });
    return shownComment(connection, posted);
  });
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
    accept: connection.dialect.gone,
  };
  const answer = await connection.change(request, input.as);
  if (answer.kind !== "ok") throw notFound(connection, `issue or PR #${issue}`);
  return answer.body;
}

const shownComment = ({ dialect }: Connection, raw: shape.RawComment): Comment => ({
  id: String(raw.id),
  author: raw.user?.login ?? dialect.nobody,
  body: withoutMarks(raw.body ?? ""),
  createdAt: raw.created_at,
  ...(isOwn(raw.body ?? "") && { own: true as const }),
});
