// Reviews on GitHub. With a second account they are formal ones; without, comments that carry the
// mark `<!-- reviewed: SHA verdict -->`, because GitHub lets nobody approve their own PR. Reviews of
// people who do not belong to the repository are opinions, not verdicts: they are left out.
import * as z from "zod";
import { commitId } from "../../core/ids.ts";
import type { ReviewVerdict } from "../../core/review.ts";
import type { Forge, Review } from "../../ports/forge.ts";
import {
  DISMISSED_MARK,
  isDismissed,
  keyMark,
  reviewedIn,
  reviewedMark,
  withMarks,
  withoutMarks,
} from "../shared/forge-marks.ts";
import { postOnce, rawComments } from "./comments.ts";
import type { Connection } from "./connection.ts";
import { existingPr } from "./prs.ts";
import { notFound } from "./raw-issue.ts";
import * as shape from "./shapes.ts";

const BY_COMMENT = "comment-";
const TRUSTED: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);
const EVENTS: Record<ReviewVerdict, string> = {
  approve: "APPROVE",
  "request-changes": "REQUEST_CHANGES",
  discuss: "REQUEST_CHANGES",
};
const VERDICTS: Record<string, ReviewVerdict> = {
  APPROVED: "approve",
  CHANGES_REQUESTED: "request-changes",
  // What it was is gone with its state; dismissed, it counts for nothing.
  DISMISSED: "request-changes",
};

type Input = Parameters<Forge["review"]>[0];

export async function listReviews(connection: Connection, pr: number): Promise<Review[]> {
  const formal = (await rawReviews(connection, pr)).flatMap(shownReview);
  if (connection.hasReviewer) return formal;
  const me = await connection.login("dev");
  const comments = await rawComments(connection, pr);
  const marked = comments.filter((raw) => raw.user?.login === me).flatMap(shownComment);
  return [...formal, ...marked].toSorted((a, b) => a.createdAt - b.createdAt);
}

async function rawReviews(connection: Connection, pr: number): Promise<shape.RawReview[]> {
  const all = await connection.read.list({
    what: `read the reviews of PR #${pr}`,
    path: connection.at(`/pulls/${pr}/reviews`),
    query: { per_page: 100 },
    schema: z.array(shape.review),
  });
  return all.toSorted((a, b) => a.id - b.id);
}

export async function addReview(connection: Connection, input: Input): Promise<Review> {
  await existingPr(connection, input.pr);
  const { pr, head, verdict, key } = input;
  const mark = keyMark(await connection.key(key));
  const body = withMarks(input.body, reviewedMark(head, verdict), mark);
  return connection.serial(`review ${pr} ${key}`, async () => {
    const [review] = connection.hasReviewer
      ? shownReview(await formalOnce(connection, { ...input, body, mark }))
      : shownComment(await postOnce(connection, { issue: pr, body, mark }));
    if (review === undefined) throw notFound(`the review of PR #${pr} that was just given`);
    return review;
  });
}

async function formalOnce(
  connection: Connection,
  input: Input & { mark: string },
): Promise<shape.RawReview> {
  const { pr, head, verdict, body, mark } = input;
  const made = (await rawReviews(connection, pr)).find((raw) => raw.body?.includes(mark));
  if (made !== undefined) return made;
  const request = {
    what: `review PR #${pr}`,
    method: "POST" as const,
    path: connection.at(`/pulls/${pr}/reviews`),
    body: { event: EVENTS[verdict], body, commit_id: head },
    schema: shape.review,
  };
  const answer = await connection.change(request, "review");
  if (answer.kind !== "ok") throw notFound(`PR #${pr}`);
  return answer.body;
}

export async function dismissReview(
  connection: Connection,
  input: Parameters<Forge["dismissReview"]>[0],
): Promise<void> {
  const { pr, id, why } = input;
  if (id.startsWith(BY_COMMENT)) return dismissComment(connection, input);
  const found = (await rawReviews(connection, pr)).find((raw) => String(raw.id) === id);
  if (found === undefined) throw notFound(`review ${id} of PR #${pr}`);
  if (found.state === "DISMISSED") return;
  await connection.change({
    what: `dismiss review ${id} of PR #${pr}`,
    method: "PUT",
    path: connection.at(`/pulls/${pr}/reviews/${id}/dismissals`),
    body: { message: why, event: "DISMISS" },
    schema: shape.anything,
  });
}

async function dismissComment(
  connection: Connection,
  { pr, id }: { pr: number; id: string },
): Promise<void> {
  const comments = await rawComments(connection, pr);
  const found = comments.find((raw) => `${BY_COMMENT}${raw.id}` === id);
  if (found === undefined) throw notFound(`review ${id} of PR #${pr}`);
  if (isDismissed(found.body ?? "")) return;
  await connection.change({
    what: `dismiss review ${id} of PR #${pr}`,
    method: "PATCH",
    path: connection.at(`/issues/comments/${found.id}`),
    body: { body: withMarks(found.body ?? "", DISMISSED_MARK) },
    schema: shape.anything,
    repeatable: true,
  });
}

const isVerdict = (word: string | undefined): word is ReviewVerdict =>
  word === "approve" || word === "request-changes" || word === "discuss";

function shownReview(raw: shape.RawReview): Review[] {
  const verdict = VERDICTS[raw.state];
  const isTrusted = TRUSTED.has(raw.author_association ?? "");
  if (verdict === undefined || !isTrusted || typeof raw.submitted_at !== "number") return [];
  const body = raw.body ?? "";
  const marked = reviewedIn(body);
  const dismissed = raw.state === "DISMISSED";
  // The mark tells what GitHub's states cannot: a discussion, and what a dismissed one was.
  const told = isVerdict(marked?.verdict) && (dismissed || marked.verdict === "discuss");
  return [
    {
      id: String(raw.id),
      author: raw.user?.login ?? "ghost",
      head: commitId(raw.commit_id ?? marked?.head ?? ""),
      verdict: told && isVerdict(marked?.verdict) ? marked.verdict : verdict,
      body: withoutMarks(body),
      createdAt: raw.submitted_at,
      dismissed,
    },
  ];
}

function shownComment(raw: shape.RawComment): Review[] {
  const marked = reviewedIn(raw.body ?? "");
  const verdict = marked?.verdict;
  if (!isVerdict(verdict)) return [];
  return [
    {
      id: `${BY_COMMENT}${raw.id}`,
      author: raw.user?.login ?? "ghost",
      head: commitId(marked?.head ?? ""),
      verdict,
      body: withoutMarks(raw.body ?? ""),
      createdAt: raw.created_at,
      dismissed: isDismissed(raw.body ?? ""),
    },
  ];
}
