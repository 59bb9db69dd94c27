// A branch on its way to the target: what CI, reviewers and the merge queue say of it, and what the run
// does with that.
import * as say from "../words/messages.ts";
import { firstFailure, type CheckOutcome } from "../check.ts";
import type { Context } from "../context.ts";
import type { RunEvent } from "./run-event.ts";
import { reviewsAggregate, projectAggregate, queueAggregate, type Commit } from "../ids.ts";
import { block, land } from "./clear.ts";
import { escalate } from "./escalate.ts";
import { post } from "./message.ts";
import { checkObligation, startCheck } from "./obligations.ts";
import { postStatus, leaveQueue } from "./tell.ts";
import { needsReview, isActive, issueOf, titleOf, warn, nodeOf, type Run } from "./run.ts";
import { fetchOf, markRemembered } from "./stage.ts";
import { reviewOf, type ReviewFacts } from "../review.ts";
import type { WantedReview } from "../review/reviews.ts";
import { mayInstruct, mayJudge } from "../trust.ts";
import { LABELS } from "../issue.ts";
import type { NewEntry, ReturnReason } from "../merge-queue/queue.ts";

// CI starts when the branch is published, and its result goes to the agent, to the reviewers or to
// the merge queue. A red result costs one of the agent's fixes; a failure of the CI infrastructure
// costs none.

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;
type Broken = Extract<CheckOutcome, { kind: "infra" }>;

export function branchPublished(run: Run, event: EventOf<"branch-published">): Run {
  if (run.stage.kind !== "publishing" || run.stage.head !== event.head) return run;
  return startCheck({ ...run, pr: event.pr }, { head: event.head, attempt: 1 });
}

/** Another writer's commits are not overwritten: the agent merges them. */
export function branchOvertaken(
  run: Run,
  { head, theirs, log }: EventOf<"branch-overtaken">,
  context: Context,
): Run {
  if (run.stage.kind !== "publishing" || run.stage.head !== head) return run;
  return sendBack(run, { kind: "overtaken", theirs, log }, context);
}

/** The time of a check counts from its start: waiting for a slot is not its fault. */
export function checkStarted(run: Run, event: EventOf<"check-started">, context: Context): Run {
  if (run.stage.kind !== "checking" || run.stage.head !== event.head) return run;
  postStatus(run, { head: event.head, outcome: undefined }, context);
  return { ...run, stage: { ...run.stage, deadline: context.at + run.config.limits.ciTimeoutMs } };
}

export function checkFinished(run: Run, event: EventOf<"check-finished">, context: Context): Run {
  if (run.stage.kind !== "checking" || run.stage.head !== event.head) return run;
  const { outcome, head, tree } = event;
  postStatus(run, { head, outcome }, context);
  const next: Run = { ...run, check: { head, tree, outcome, at: context.at } };
  if (outcome.kind === "infra") return checkBroke(next, { outcome, head }, context);
  const marked = outcome.remembered ? markRemembered(next) : next;
  const ran: Run = { ...marked, counts: { ...next.counts, infraRetries: 0 } };
  return outcome.kind === "failed" ? checkRed(ran, outcome, context) : checkGreen(ran, context);
}

/** The CI infrastructure failed, not the code: one more try, then a person is asked. */
function checkBroke(run: Run, broken: { outcome: Broken; head: Commit }, context: Context): Run {
  const { counts } = run;
  if (counts.infraRetries >= 1) {
    const again = checkObligation(run, { head: broken.head, attempt: 1 });
    return escalate(run, { reason: `CI could not run: ${broken.outcome.message}`, again }, context);
  }
  const infraRetries = counts.infraRetries + 1;
  const attempt = 1 + infraRetries;
  return startCheck(
    { ...run, counts: { ...counts, infraRetries } },
    { head: broken.head, attempt },
  );
}

function checkRed(
  run: Run,
  outcome: Extract<CheckOutcome, { kind: "failed" }>,
  context: Context,
): Run {
  const { ciFixesMax } = run.config.limits;
  if (run.counts.ciFixes >= ciFixesMax) {
    const gate = firstFailure(outcome.results)?.gate;
    return block(run, say.ciStillFails(ciFixesMax, gate), context);
  }
  const counts = { ...run.counts, ciFixes: run.counts.ciFixes + 1 };
  const text = say.ciFailed(outcome, `fix ${counts.ciFixes} of ${ciFixesMax}`);
  return post({ ...run, counts, stage: { kind: "working" } }, { kind: "ci-failed", text }, context);
}

function checkGreen(run: Run, context: Context): Run {
  if (run.stage.kind !== "checking") return run;
  const { head } = run.stage;
  const required = needsReview(run);
  const told = post(run, { kind: "ci-passed", text: say.ciPassed(required) }, context);
  if (!required) return enqueue(told, head, context);
  const deadline = context.at + run.config.limits.reviewTimeoutMs;
  const waiting: Run = { ...told, stage: { kind: "reviewing", head, deadline } };
  // The review may have come while CI was still running.
  if (waiting.review?.head === head) return judge(waiting, waiting.review, context);
  return askForReview(waiting, head, context);
}

export function checkConflicted(
  run: Run,
  event: EventOf<"check-conflicted">,
  context: Context,
): Run {
  if (run.stage.kind !== "checking" || run.stage.head !== event.head) return run;
  return sendBack(run, { kind: "conflict", files: event.files }, context);
}

export function checkOverdue(run: Run, head: Commit, context: Context): Run {
  const told = post(run, { kind: "ci-timeout", text: say.ciTimeout() }, context);
  const again = checkObligation(run, { head, attempt: 1 });
  return escalate(told, { reason: "CI timeout: no result within the limit", again }, context);
}

// What reviewers say of a branch: only the latest review of the head that is waiting counts.

export function reviewsObserved(run: Run, reviews: ReviewFacts[], context: Context): Run {
  if (run.head === undefined || !isActive(run)) return run;
  const counting = reviews.filter(
    ({ own, author }) => own === true || mayJudge(run.config, author),
  );
  const review = reviewOf(counting, run.head);
  if (review?.id === run.review?.id) return run;
  const isGone = ({ id, dismissed }: ReviewFacts): boolean => dismissed && id === run.review?.id;
  if (review === undefined) return reviews.some(isGone) ? { ...run, review: undefined } : run;
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
    return block(run, say.changesStillRequested(reviewRoundsMax), context);
  }
  const counts = { ...run.counts, reviewRounds: run.counts.reviewRounds + 1 };
  const back: Run = { ...run, counts, reviewTold: review.id, stage: { kind: "working" } };
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

// A run and the merge queue: entering it, coming back from it, landing through it.

/** Green, and approved or no review required: into the merge queue, without the agent. */
export function enqueue(run: Run, head: Commit, context: Context): Run {
  context.output.signals.push({
    kind: "MERGE_READY",
    at: context.at,
    project: run.project,
    identity: run.identity,
    run: run.id,
    detail: { branch: run.branch, head, pr_number: run.pr ?? null },
  });
  return keepPlace({ ...run, stage: { kind: "queued", head, out: true } }, context);
}

/**
 * Asked after every event: a run that a person stopped or holds leaves the queue, and comes back
 * when it goes on. What is being landed at that moment cannot be taken back.
 */
export function keepPlace(run: Run, context: Context): Run {
  const { stage, stopped, held } = run;
  if (stage.kind !== "queued") return run;
  const { out, ...inside } = stage;
  const isTheirs = stopped !== undefined || held !== undefined;
  if (isTheirs === (out === true)) return run;
  if (isTheirs) {
    leaveQueue(
      run,
      stopped === undefined ? `held by ${held?.by}` : `stopped by ${stopped.by}`,
      context,
    );
    return { ...run, stage: { ...stage, out: true } };
  }
  context.output.tells.push({
    to: queueAggregate(run.project),
    event: { kind: "entry-requested", at: context.at, entry: entryOf(run, stage.head) },
  });
  return { ...run, stage: inside };
}

const entryOf = (run: Run, head: Commit): NewEntry => ({
  ...nodeField(run),
  run: run.id,
  identity: run.identity,
  branch: run.branch,
  head,
  pr: run.pr,
  issue: issueOf(run),
  title: titleOf(run),
  priority: isUrgent(run) ? 1 : 0,
});

function nodeField(run: Run): Pick<NewEntry, "node"> {
  const node = nodeOf(run);
  return node === undefined ? {} : { node };
}

const isUrgent = ({ work }: Run): boolean =>
  work.kind === "issue" && work.labels.includes(LABELS.priority);

export function entryReturned(run: Run, event: EventOf<"entry-returned">, context: Context): Run {
  if (run.stage.kind !== "queued" || run.stage.head !== event.head) return run;
  return sendBack(run, event.reason, context);
}

/** A conflict or a red combination goes back to the author, three times; then a person is asked. */
export function sendBack(run: Run, reason: ReturnReason, context: Context): Run {
  const back: Run = { ...run, stage: { kind: "working" } };
  if (reason.kind === "held") return escalate(back, { reason: reason.why }, context);
  const { limits } = run.config;
  const counts = { ...run.counts, conflicts: run.counts.conflicts + 1 };
  if (counts.conflicts > limits.conflictsMax) {
    const times = `sent back ${counts.conflicts} times by the merge queue`;
    const asked = { reason: `${times}: ${describe(reason)}` };
    // For every answer of the person: without this message the agent cannot know what to merge.
    const told = reason.kind === "overtaken" ? tell({ ...back, counts }, reason, context) : back;
    return escalate({ ...told, counts }, asked, context);
  }
  return tell({ ...back, counts }, reason, context);
}

const tell = (run: Run, reason: Fixable, context: Context): Run =>
  post(run, newsOf(run, reason, run.config.target), context);

type Fixable = Exclude<ReturnReason, { kind: "held" }>;

function newsOf({ branch }: Run, reason: Fixable, target: string) {
  switch (reason.kind) {
    case "conflict":
      return { kind: "conflict", text: say.conflict(reason.files, target) } as const;
    case "overtaken":
      return { kind: "conflict", text: say.overtaken({ branch, ...reason }) } as const;
    case "tests":
      return { kind: "tests-failed", text: say.testsFailed(reason.outcome, target) } as const;
  }
}

function describe(reason: Fixable): string {
  switch (reason.kind) {
    case "conflict":
      return `conflicts in ${reason.files.slice(0, 5).join(", ")}`;
    case "overtaken":
      return `other people keep pushing to the branch, which is at ${reason.theirs} upstream`;
    case "tests":
      return "CI fails together with what has landed since";
  }
}

/** The end, unless the agent has committed more meanwhile: then the rest has to land as well. */
export function entryLanded(run: Run, event: EventOf<"entry-landed">, context: Context): Run {
  if (!isActive(run)) return landedLate(run, event, context);
  const { stage } = run;
  const { head, commit } = event;
  if (head !== (stage.kind === "queued" ? stage.head : run.head)) {
    return warn(run, `${head} landed; newer commits on the branch have not landed yet`, context);
  }
  const ordinal = fetchOf(stage);
  // Once only: an agent that commits more with every message would land for ever.
  if (ordinal === undefined || run.landedAs !== undefined) return land(run, commit, context);
  // Its newer word is not read yet: what is fetched shows whether that is about more commits.
  const left = stage.kind === "queued" ? ({ kind: "fetching", ordinal } as const) : stage;
  return { ...run, landedAs: { head, commit }, stage: left };
}

/**
 * Its issue was closed or taken while the landing was under way. Where it is opened again, the next
 * run must not take what has landed for work of its own.
 */
function landedLate(run: Run, { at, head }: EventOf<"entry-landed">, { output }: Context): Run {
  if (run.work.kind === "issue" && run.outcome?.kind !== "landed") {
    output.tells.push({
      to: projectAggregate(run.project),
      event: { kind: "head-landed", at, issue: run.work.number, head },
    });
  }
  return run;
}

/** An earlier run of this issue landed it after all. */
export const headLanded = (run: Run, { head }: EventOf<"run-head-landed">): Run => ({
  ...run,
  landedHead: head,
});
