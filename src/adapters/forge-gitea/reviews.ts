// Reviews of a Gitea repository. With a second account they are formal ones; without, comments that
// carry the mark `<!-- reviewed: SHA verdict -->`, because Gitea lets nobody approve their own PR.
// Formal reviews of people who may not write here are opinions, not verdicts: they are left out.
// Gitea calls the latest review of somebody who may write official, and takes that word back from
// the earlier ones.
import * as z from "zod";
import { commitId } from "../../core/ids.ts";
import type { ReviewVerdict } from "../../core/review.ts";
import type { Forge, Review } from "../../ports/forge.ts";
import {
  isDismissed,
  DISMISSED_MARK,
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
const EVENTS: Record<ReviewVerdict, string> = {
  approve: "APPROVED",
  "request-changes": "REQUEST_CHANGES",
  discuss: "REQUEST_CHANGES",
};
const VERDICTS: Record<string, ReviewVerdict> = {
  APPROVED: "approve",
  REQUEST_CHANGES: "request-changes",
};

type Input = Parameters<Forge["review"]>[0];

export async function listReviews(connection: Connection, pr: number): Promise<Review[]> {
  const all = await rawReviews(connection, pr);
  const trusted = new Set(all.filter((raw) => raw.official === true).map(authorOf));
  if (connection.hasReviewer) trusted.add(await connection.login("review"));
  const formal = all.filter((raw) => trusted.has(authorOf(raw))).flatMap(shownReview);
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
    query: { limit: 50 },
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
  if (found.dismissed === true) return;
  const isOwn = connection.hasReviewer && authorOf(found) === (await connection.login("review"));
  await connection.change({
    what: `dismiss review ${id} of PR #${pr} (which needs an administrator of the repository)`,
    method: "POST",
    path: connection.at(`/pulls/${pr}/reviews/${id}/dismissals`),
    body: { message: why, priors: false },
    schema: shape.anything,
    repeatable: true,
    // Who may only write cannot dismiss; but the next review of the same account does, by itself.
    accept: isOwn ? [403] : [],
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

const authorOf = (raw: shape.RawReview): string => raw.user?.login ?? "unknown";

function shownReview(raw: shape.RawReview): Review[] {
  const verdict = VERDICTS[raw.state];
  if (verdict === undefined) return [];
  const body = raw.body ?? "";
  const marked = reviewedIn(body);
  return [
    {
      id: String(raw.id),
      author: authorOf(raw),
      head: commitId(raw.commit_id ?? marked?.head ?? ""),
      verdict: marked?.verdict === "discuss" ? "discuss" : verdict,
      body: withoutMarks(body),
      createdAt: raw.submitted_at,
      dismissed: raw.dismissed === true,
    },
  ];
}

function shownComment(raw: shape.RawComment): Review[] {
  const marked = reviewedIn(raw.body ?? "");
  const verdict = marked?.verdict;
  if (verdict !== "approve" && verdict !== "request-changes" && verdict !== "discuss") return [];
  return [
    {
      id: `${BY_COMMENT}${raw.id}`,
      author: raw.user?.login ?? "unknown",
      head: commitId(marked?.head ?? ""),
      verdict,
      body: withoutMarks(raw.body ?? ""),
      createdAt: raw.created_at,
      dismissed: isDismissed(raw.body ?? ""),
    },
  ];
}
