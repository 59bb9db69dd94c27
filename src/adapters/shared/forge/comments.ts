// Comments on issues and PRs: each key makes one.
import * as z from "zod";
import type { Comment } from "../../../ports/forge.ts";
import { hasClaim, isOwn, keyMark, withMarks, withoutMarks } from "./marks.ts";
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
  const shown: Comment[] = [];
  for (const raw of await rawComments(connection, number)) {
    if (!(await isClaim(connection, raw))) shown.push(await shownComment(connection, raw));
  }
  return shown;
}

/** Of those that carry the mark, only of those who may take an issue: other factories, too. */
export async function isClaim(connection: Connection, raw: shape.RawComment): Promise<boolean> {
  if (!hasClaim(raw.body ?? "")) return false;
  if (await connection.isOurs(raw)) return true;
  return raw.user?.login !== undefined && connection.mayWrite(raw.user.login);
}

export const commentsOfOurs = async (
  connection: Connection,
  number: number,
): Promise<shape.RawComment[]> => ofOurs(connection, await rawComments(connection, number));

/** Those that our own accounts wrote. */
export async function ofOurs<T extends Pick<shape.RawComment, "user">>(
  connection: Connection,
  all: readonly T[],
): Promise<T[]> {
  const ours: T[] = [];
  for (const one of all) if (await connection.isOurs(one)) ours.push(one);
  return ours;
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

/** Posted unless a comment of ours with this mark is there. */
export async function postOnce(
  connection: Connection,
  input: { issue: number; body: string; mark: string; as?: As },
): Promise<shape.RawComment> {
  const { issue, body, mark } = input;
  const ours = await commentsOfOurs(connection, issue);
  const made = ours.find((raw) => raw.body?.includes(mark));
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

async function shownComment(connection: Connection, raw: shape.RawComment): Promise<Comment> {
  const isOurs = isOwn(raw.body ?? "") && (await connection.isOurs(raw));
  return {
    id: String(raw.id),
    author: raw.user?.login ?? connection.dialect.unknownAuthor,
    body: withoutMarks(raw.body ?? ""),
    createdAt: raw.created_at,
    ...(isOurs && { own: true as const }),
  };
}
