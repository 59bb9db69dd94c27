// The step of the review role: a green PR is reviewed once per head, three at a time at most, by a
// task whose answer code checks; the verdict goes to the forge and to the run that waits for it.
import type { Context } from "../context.ts";
import type { Effect, Output } from "../effect.ts";
import type { Event, FailedEffect } from "../event.ts";
import type { AskerEvent } from "../task.ts";
import type { ReviewEvent } from "./review-event.ts";
import { projectAggregate, projectOf, reviewsAggregate, runAggregate } from "../ids.ts";
import type { AggregateId } from "../ids.ts";
import { isDocsOnly } from "./docs-only.ts";
import { isUnderWay, type PrReview, type Reviews } from "./reviews.ts";
import { parseAnswer, type ReviewAnswer } from "./verdict.ts";
import * as words from "../words/review.ts";

type EventOf<K extends ReviewEvent["kind"]> = Extract<ReviewEvent, { kind: K }>;

/** The third error of a head is the last. */
const ERRORS_MAX = 3;

export function stepReviews(
  id: AggregateId,
  reviews: Reviews | undefined,
  { event, output }: { event: Event; output: Output },
): Reviews | undefined {
  const context = { at: event.at, output };
  if (reviews === undefined) {
    if (event.kind !== "review-wanted") return undefined;
    return wanted({ kind: "reviews", project: projectOf(id), prs: [], asked: 0 }, event, context);
  }
  switch (event.kind) {
    case "review-wanted":
      return wanted(reviews, event, context);
    case "review-unwanted":
      return unwanted(reviews, event, context);
    case "review-prepared":
      return prepared(reviews, event, context);
    case "review-conflicted":
      return conflicted(reviews, event, context);
    case "review-skipped":
      return skipped(reviews, event, context);
    case "task-finished":
      return answered(reviews, event, context);
    case "review-posted":
      return posted(reviews, event, context);
    case "effect-failed":
      return effectFailed(reviews, event.failed, context);
    default:
      return reviews;
  }
}

/** A head that was reviewed, or is being, is not reviewed again; a new one replaces the old. */
function wanted(
  reviews: Reviews,
  { wanted: wish }: EventOf<"review-wanted">,
  context: Context,
): Reviews {
  const known = reviews.prs.find(({ pr }) => pr === wish.pr);
  if (known?.head === wish.head && !isGivenUp(known)) {
    // Another attempt waits for it now: what was said, it reads on the forge.
    return known.run === wish.run ? reviews : change(reviews, known, { run: wish.run });
  }
  if (known !== undefined) stop(reviews, known, context);
  const review: PrReview = { ...wish, state: { kind: "waiting" }, errors: 0, last: known?.last };
  const others = reviews.prs.filter((other) => other !== known);
  return startNext({ ...reviews, prs: [...others, review] }, context);
}

/** Its verdict is on the forge, or on its way there. */
const isSaid = ({ state }: PrReview): boolean =>
  state.kind === "reviewed" || state.kind === "posting";

const isGivenUp = ({ state }: PrReview): boolean =>
  state.kind === "failed" || state.kind === "idle";

function unwanted(
  reviews: Reviews,
  { pr, over, gone }: EventOf<"review-unwanted">,
  context: Context,
): Reviews {
  const known = reviews.prs.find((review) => review.pr === pr);
  if (known === undefined) return reviews;
  // The next attempt may continue with this head, and a head is reviewed once.
  if (over && gone !== true && isSaid(known)) return change(reviews, known, { run: undefined });
  stop(reviews, known, context);
  const next = over
    ? { ...reviews, prs: reviews.prs.filter((other) => other !== known) }
    : change(reviews, known, { state: { kind: "idle" } });
  return startNext(next, context);
}

/** The review is ended. A verdict that is being posted still is. */
function stop(reviews: Reviews, review: PrReview, context: Context): void {
  const { state } = review;
  if (state.kind === "asked") {
    context.output.tells.push({
      to: projectAggregate(reviews.project),
      event: { kind: "task-withdrawn", at: context.at, key: state.key, why: "no longer wanted" },
    });
  }
  if (state.kind === "preparing") context.output.cancelled.push(prepareKey(reviews, review));
  release(reviews, review, context);
}

function startNext(reviews: Reviews, context: Context): Reviews {
  const next = reviews.prs.find(({ state }) => state.kind === "waiting");
  if (next === undefined) return reviews;
  if (reviews.prs.filter(isUnderWay).length >= next.role.parallel) return reviews;
  const { pr, head, branch, title, issue, last, role } = next;
  const previous = last?.head === head ? undefined : last?.head;
  want(reviews, next, {
    context,
    key: prepareKey(reviews, next),
    effect: {
      kind: "prepare-review",
      pr,
      head,
      branch,
      title,
      issue,
      previous,
      diffMaxBytes: role.diffMaxBytes,
      ref: refOf(next),
    },
  });
  return startNext(change(reviews, next, { state: { kind: "preparing" } }), context);
}

const refOf = ({ pr }: PrReview): string => `review/${pr}`;
const prepareKey = ({ project }: Reviews, { pr, head, errors }: PrReview): string =>
  `${reviewsAggregate(project)}:prepare:${pr}:${head}:${errors}`;

function want(
  { project }: Reviews,
  { pr }: PrReview,
  wish: { context: Context; key: string; effect: Effect },
): void {
  const { context, key, effect } = wish;
  context.output.effects.push({ key, effect, lane: `${reviewsAggregate(project)}:${pr}` });
}

/** A person's PR has no run that waits: its author reads the forge. */
function tellRun(
  { project }: Reviews,
  { run }: PrReview,
  { event, context }: { event: Event; context: Context },
): void {
  if (run !== undefined) context.output.tells.push({ to: runAggregate(project, run), event });
}

const change = (reviews: Reviews, review: PrReview, to: Partial<PrReview>): Reviews => ({
  ...reviews,
  prs: reviews.prs.map((other) => (other === review ? { ...other, ...to } : other)),
});

function prepared(reviews: Reviews, event: EventOf<"review-prepared">, context: Context): Reviews {
  const review = reviews.prs.find(({ pr, head }) => pr === event.pr && head === event.head);
  if (review?.state.kind !== "preparing") return reviews;
  const { material, commit } = event;
  const { docs, instructions } = review.role;
  if (docs === "skip" && material.cut !== true && isDocsOnly(material.files, instructions)) {
    return post(reviews, review, { answer: words.docsOnlyAnswer(material.files), context });
  }
  const key = `review ${review.pr} ${reviews.asked + 1}`;
  const { model, idleMs } = review.role;
  context.output.tells.push({
    to: projectAggregate(reviews.project),
    event: {
      kind: "task-requested",
      at: context.at,
      task: {
        by: reviewsAggregate(reviews.project),
        key,
        role: "review",
        name: String(review.pr),
        title: `Review #${review.pr}: ${review.title}`,
        brief: words.reviewBrief(review, { material, commit }),
        output: "result",
        at: { kind: "commit", commit },
        ...(model === undefined ? {} : { model }),
        limits: { idleMs },
      },
    },
  });
  const next = change(reviews, review, { state: { kind: "asked", key } });
  return { ...next, asked: reviews.asked + 1 };
}

/** It no longer merges onto the target: its author fixes that before it is reviewed. */
function conflicted(
  reviews: Reviews,
  event: EventOf<"review-conflicted">,
  context: Context,
): Reviews {
  const review = reviews.prs.find(({ pr, head }) => pr === event.pr && head === event.head);
  if (review?.state.kind !== "preparing") return reviews;
  tellRun(reviews, review, { event, context });
  return startNext(change(reviews, review, { state: { kind: "failed" } }), context);
}

/** There is nothing to read, e.g. of a fork: no person is told. */
function skipped(reviews: Reviews, event: EventOf<"review-skipped">, context: Context): Reviews {
  const review = reviews.prs.find(({ pr, head }) => pr === event.pr && head === event.head);
  if (review?.state.kind !== "preparing") return reviews;
  return startNext(change(reviews, review, { state: { kind: "failed" } }), context);
}

function answered(reviews: Reviews, event: AskerEvent, context: Context): Reviews {
  const review = reviews.prs.find(({ state }) => state.kind === "asked" && state.key === event.key);
  if (review === undefined) return reviews;
  const { outcome, run, key } = event;
  const { at } = context;
  if (outcome.kind === "failed")
    return failed(reviews, review, { reason: outcome.reason, context });
  if (outcome.kind !== "result" || run === undefined) return reviews;
  const to = runAggregate(reviews.project, run);
  const parsed = parseAnswer(outcome.text);
  if (parsed.kind === "problem") {
    const { problem } = parsed;
    context.output.tells.push({ to, event: { kind: "task-refused", at, key, problem } });
    return reviews;
  }
  context.output.tells.push({ to, event: { kind: "task-accepted", at, key } });
  return post(reviews, review, { answer: parsed.answer, context });
}

function post(
  reviews: Reviews,
  review: PrReview,
  { answer, context }: { answer: ReviewAnswer; context: Context },
): Reviews {
  const { pr, head } = review;
  const body = words.reviewBody(answer);
  want(reviews, review, {
    context,
    key: `${reviewsAggregate(reviews.project)}:post:${pr}:${head}`,
    effect: {
      kind: "post-review",
      pr,
      head,
      verdict: answer.verdict,
      comment: words.reviewComment(review, answer),
      body,
      followUps: answer.followUps,
    },
  });
  const given = { head, verdict: answer.verdict, body };
  const next = change(reviews, review, { state: { kind: "posting", given }, last: given });
  return startNext(next, context);
}

function posted(reviews: Reviews, said: EventOf<"review-posted">, context: Context): Reviews {
  const review = reviews.prs.find(({ pr, head }) => pr === said.pr && head === said.review.head);
  if (review?.state.kind !== "posting") return reviews;
  const event: Event = { kind: "reviews-observed", at: context.at, reviews: [said.review] };
  tellRun(reviews, review, { event, context });
  release(reviews, review, context);
  return change(reviews, review, { state: { kind: "reviewed" } });
}

/** The candidate that was reviewed is kept alive no longer. */
function release(reviews: Reviews, review: PrReview, context: Context): void {
  if (!isUnderWay(review) && review.state.kind !== "posting") return;
  want(reviews, review, {
    context,
    key: `${reviewsAggregate(reviews.project)}:release:${review.pr}:${review.head}`,
    effect: { kind: "release-candidates", refs: [refOf(review)] },
  });
}

/** Tried again, twice; then the head is left to a person. */
function failed(
  reviews: Reviews,
  review: PrReview,
  { reason, context }: { reason: string; context: Context },
): Reviews {
  const errors = review.errors + 1;
  if (errors < ERRORS_MAX) {
    return startNext(change(reviews, review, { state: { kind: "waiting" }, errors }), context);
  }
  const { pr, head } = review;
  const event = { kind: "review-failed", at: context.at, head, reason, times: errors } as const;
  tellRun(reviews, review, { event, context });
  want(reviews, review, {
    context,
    key: `${reviewsAggregate(reviews.project)}:error:${pr}:${head}`,
    effect: {
      kind: "post-comment",
      on: pr,
      body: words.reviewErrorComment({ pr, head, errors }, reason),
    },
  });
  release(reviews, review, context);
  return startNext(change(reviews, review, { state: { kind: "failed" }, errors }), context);
}

function effectFailed(
  reviews: Reviews,
  { obligation, message }: FailedEffect,
  context: Context,
): Reviews {
  const { effect } = obligation;
  if (effect.kind !== "prepare-review" && effect.kind !== "post-review") return reviews;
  const review = reviews.prs.find(({ pr, head }) => pr === effect.pr && head === effect.head);
  if (review === undefined) return reviews;
  if (effect.kind === "prepare-review") {
    const isCurrent = review.state.kind === "preparing";
    return isCurrent ? failed(reviews, review, { reason: message, context }) : reviews;
  }
  if (review.state.kind !== "posting") return reviews;
  // What was said cannot be brought to the forge: once more would be a second review.
  const spent = { ...review, errors: ERRORS_MAX - 1 };
  const prs = reviews.prs.map((other) => (other === review ? spent : other));
  return failed({ ...reviews, prs }, spent, { reason: message, context });
}
