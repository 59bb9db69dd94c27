// What reviewers say of a branch: only the latest review of the head that is waiting counts.
import * as say from "../words/messages.ts";
import type { Context } from "../context.ts";
import type { RunEvent } from "./run-event.ts";
import { reviewsAggregate, type Commit } from "../ids.ts";
import { reviewOf, type ReviewFacts } from "../review.ts";
import type { WantedReview } from "../review/reviews.ts";
import { mayInstruct, mayJudge } from "../trust.ts";
import { block, escalate } from "./escalate.ts";
import { post } from "./message.ts";
import { enqueue, sendBack } from "./queue-reactions.ts";
import { isActive, type Run } from "./run.ts";
import { issueOf, titleOf } from "./work.ts";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

export function reviewsObserved(run: Run, reviews: ReviewFacts[], context: Context): Run {
  if (run.head === undefined || !isActive(run)) return run;
  const counting = reviews.filter(
    ({ own, author }) => own === true || mayJudge(run.config, author),
  );
  const review = reviewOf(counting, run.head);
  if (review === undefined || review.id === run.review?.id) return run;
  return judge({ ...run, review }, review, context);
}

/** Where the review role is on, it is told; else people find the PR. */
export function askForReview(run: Run, head: Commit, context: Context): Run {
  const { role } = run.config.review;
  const { pr, branch } = run;
  if (role === undefined || pr === undefined) return run;
  const { target } = run.config;
  const wanted: WantedReview = {
    pr,
    head,
    branch,
    title: titleOf(run),
    issue: issueOf(run),
    run: run.id,
    target,
    role,
  };
  context.output.tells.push({
    to: reviewsAggregate(run.project),
    event: { kind: "review-wanted", at: context.at, wanted },
  });
  return run;
}

/** The review role could not review it: a person is asked, and a late review still answers. */
export function reviewFailed(
  run: Run,
  { head, reason, times }: EventOf<"review-failed">,
  context: Context,
): Run {
  if (run.stage.kind !== "reviewing" || run.stage.head !== head) return run;
  const why = `the review failed ${times} times: ${reason}`;
  return escalate(run, { reason: why, unreviewed: head }, context);
}

export function reviewConflicted(
  run: Run,
  { head, files }: EventOf<"review-conflicted">,
  context: Context,
): Run {
  if (run.stage.kind !== "reviewing" || run.stage.head !== head) return run;
  return sendBack(run, { kind: "conflict", files }, context);
}

export function judge(run: Run, review: ReviewFacts, context: Context): Run {
  if (review.head !== headInReview(run)) return run;
  if (review.verdict === "approve") {
    const told = post(run, { kind: "approved", text: say.approved(review.author) }, context);
    return enqueue(told, review.head, context);
  }
  const { reviewRoundsMax } = run.config.limits;
  if (run.counts.reviewRounds >= reviewRoundsMax) {
    const reason = `review_exhausted: changes still requested after ${reviewRoundsMax} rounds`;
    return block(run, reason, context);
  }
  const counts = { ...run.counts, reviewRounds: run.counts.reviewRounds + 1 };
  const back: Run = { ...run, counts, stage: { kind: "working" } };
  const text = say.reviewChanges(review, isTrusted(run, review));
  return post(back, { kind: "review-changes", text }, context);
}

const isTrusted = ({ config }: Run, { own, author }: ReviewFacts): boolean =>
  own === true || mayInstruct(config, author);

/** A late review is still a review: it answers the question why there was none. */
function headInReview({ stage }: Run): Commit | undefined {
  if (stage.kind === "reviewing") return stage.head;
  return stage.kind === "escalated" ? stage.escalation.unreviewed : undefined;
}

export function reviewOverdue(run: Run, head: Commit, context: Context): Run {
  const told = post(run, { kind: "review-timeout", text: say.reviewTimeout() }, context);
  return escalate(told, { reason: "no review within the limit", unreviewed: head }, context);
}
