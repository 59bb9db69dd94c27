// What Pawl does when an agent writes a phase, and when CI, reviewers or the merge queue speak
// (the matrix of seed 000). Each reaction is an obligation: carried out once, never lost.
import { firstFailure, type CheckOutcome } from "../check.ts";
import type { Context } from "../context.ts";
import type { RunEvent } from "../event.ts";
import { queueAggregate, runAggregate, type Commit } from "../ids.ts";
import { LABELS } from "../issue.ts";
import type { ReturnReason } from "../merge-queue/queue.ts";
import * as say from "../messages.ts";
import { reviewOf, type ReviewFacts } from "../review.ts";
import { cancelCheck, startCheck } from "./check-branch.ts";
import { land } from "./clear.ts";
import { block, escalate } from "./escalate.ts";
import { parsePhase, type Phase } from "./phase.ts";
import { post } from "./post.ts";
import { isActive, type Run } from "./run.ts";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

export function phaseObserved(run: Run, event: EventOf<"phase-observed">, context: Context): Run {
  const { session } = run;
  if (session === undefined || session.phaseStamp === event.stamp || !isActive(run)) return run;
  const seen: Run = {
    ...run,
    session: {
      ...session,
      phaseStamp: event.stamp,
      lastProgress: context.at,
      lastSeen: context.at,
    },
  };
  const parsed = parsePhase(event.text);
  if (parsed.kind === "unwritten") return seen;
  if (parsed.kind === "invalid") {
    return post(seen, { kind: "notice", text: say.invalidPhase(parsed.line) }, context);
  }
  const phase = {
    ordinal: (run.phase?.ordinal ?? 0) + 1,
    phase: parsed.phase,
    reason: parsed.reason,
    at: context.at,
  };
  return react({ ...heard(seen), phase }, parsed.phase, context);
}

/** Writing a phase shows that everything told in this life's prompt was read. */
function heard(run: Run): Run {
  const { session } = run;
  if (session === undefined) return run;
  return {
    ...run,
    session: { ...session, spoke: true },
    counts: { ...run.counts, nudges: 0 },
    messages: run.messages.map((message) => {
      if (message.status === "told") return { ...message, status: "acknowledged" };
      // An agent that goes on without moving the file has seen it, but nothing proves it.
      return message.status === "delivered" ? { ...message, status: "unconfirmed" } : message;
    }),
  };
}

function react(run: Run, phase: Phase, context: Context): Run {
  switch (phase) {
    case "awaiting_ci":
    case "awaiting_review":
    case "done":
      return fetchBranch(run, context);
    case "escalate":
      return escalate(run, { reason: run.phase?.reason ?? "the agent asks for a person" }, context);
    case "failed":
      return block(run, run.phase?.reason ?? "the agent gave up without a reason", context);
  }
}

/** Claims are checked against the branch itself: it is fetched before anything is believed. */
function fetchBranch(run: Run, context: Context): Run {
  const ordinal = run.phase?.ordinal ?? 0;
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:fetch:${ordinal}`,
    lane: aggregate,
    effect: { kind: "fetch-branch", identity: run.identity, branch: run.branch, ordinal },
  });
  return { ...run, fetching: ordinal };
}

export function branchFetched(run: Run, event: EventOf<"branch-fetched">, context: Context): Run {
  if (run.fetching !== event.ordinal || !isActive(run)) return run;
  const next: Run = { ...run, fetching: undefined };
  if (event.ahead === 0 && !event.landed) return nothingThere(next, context);
  if (event.landed && run.phase?.phase === "done")
    return land({ ...next, head: event.head }, event.head, context);
  const told = run.phase?.phase === "done" ? tellNotMerged(next, context) : next;
  const inHand = told.head === event.head && !needsCheck(told);
  return inHand ? told : publish({ ...told, head: event.head }, context);
}

/** The same head again is a new request only where the agent has the ball. */
const needsCheck = (run: Run): boolean =>
  run.stage.kind === "working" || run.stage.kind === "escalated";

function nothingThere(run: Run, context: Context): Run {
  const back: Run = { ...run, stage: { kind: "working" } };
  return post(back, { kind: "notice", text: say.noCommits(run.branch) }, context);
}

function tellNotMerged(run: Run, context: Context): Run {
  if (run.counts.toldNotMerged) return run;
  const counts = { ...run.counts, toldNotMerged: true };
  return post({ ...run, counts }, { kind: "not-merged", text: say.notMerged() }, context);
}

function publish(run: Run, context: Context): Run {
  const { head } = run;
  if (head === undefined) return run;
  cancelCheck(run, context);
  if (run.stage.kind === "queued") withdrawEntry(run, context);
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:publish:${run.phase?.ordinal ?? 0}`,
    lane: aggregate,
    effect: {
      kind: "publish-branch",
      branch: run.branch,
      head,
      title: run.issue.title,
      body: `Fixes #${run.issue.number}`,
      issue: run.issue.number,
      target: run.config.target,
    },
  });
  return { ...run, stage: { kind: "publishing", head } };
}

function withdrawEntry(run: Run, context: Context): void {
  context.output.tells.push({
    to: queueAggregate(run.project),
    event: { kind: "entry-withdrawn", at: context.at, branch: run.branch, why: "new commits" },
  });
}

export function branchPublished(
  run: Run,
  event: EventOf<"branch-published">,
  context: Context,
): Run {
  if (run.stage.kind !== "publishing" || run.stage.head !== event.head) return run;
  return startCheck({ ...run, pr: event.pr }, { head: event.head, attempt: 1 }, context);
}

export function checkFinished(run: Run, event: EventOf<"check-finished">, context: Context): Run {
  if (run.stage.kind !== "checking" || run.stage.head !== event.head) return run;
  const { outcome } = event;
  const next: Run = {
    ...run,
    check: { head: event.head, tree: event.tree, outcome, at: context.at },
  };
  if (outcome.kind === "infra")
    return checkBroke(next, { outcome, attempt: run.stage.attempt }, context);
  if (outcome.kind === "failed") return checkRed(next, outcome, context);
  return checkGreen(next, event.head, context);
}

/** The machinery failed, not the code: once more, then a person. The agent's budget is not touched. */
function checkBroke(
  run: Run,
  broken: { outcome: Extract<CheckOutcome, { kind: "infra" }>; attempt: number },
  context: Context,
): Run {
  const { head } = run;
  if (head !== undefined && run.counts.infraRetries < 1) {
    const counts = { ...run.counts, infraRetries: run.counts.infraRetries + 1 };
    return startCheck({ ...run, counts }, { head, attempt: broken.attempt + 1 }, context);
  }
  return escalate(run, { reason: `CI could not run: ${broken.outcome.message}` }, context);
}

function checkRed(
  run: Run,
  outcome: Extract<CheckOutcome, { kind: "failed" }>,
  context: Context,
): Run {
  const { ciFixesMax } = run.config.limits;
  const failure = firstFailure(outcome.results);
  if (run.counts.ciFixes >= ciFixesMax) {
    return block(
      run,
      `ci_exhausted: ${failure?.gate ?? "CI"} still fails after ${ciFixesMax} fixes`,
      context,
    );
  }
  const counts = { ...run.counts, ciFixes: run.counts.ciFixes + 1 };
  const text = say.ciFailed(outcome, `fix ${counts.ciFixes} of ${ciFixesMax}`);
  return post({ ...run, counts, stage: { kind: "working" } }, { kind: "ci-failed", text }, context);
}

function checkGreen(run: Run, head: Commit, context: Context): Run {
  const { required } = run.config.review;
  const told = post(run, { kind: "ci-passed", text: say.ciPassed(required) }, context);
  if (!required) return enqueue(told, head, context);
  const deadline = context.at + run.config.limits.reviewTimeoutMs;
  const waiting: Run = { ...told, stage: { kind: "reviewing", head, deadline } };
  return waiting.review === undefined ? waiting : judge(waiting, waiting.review, context);
}

export function checkConflicted(
  run: Run,
  event: EventOf<"check-conflicted">,
  context: Context,
): Run {
  if (run.stage.kind !== "checking" || run.stage.head !== event.head) return run;
  return sendBack(run, { kind: "conflict", files: event.files }, context);
}

/** A conflict or a red combination goes back to the author, three times; then a person is asked. */
function sendBack(run: Run, reason: ReturnReason, context: Context): Run {
  const { target, limits } = run.config;
  const counts = { ...run.counts, conflicts: run.counts.conflicts + 1 };
  const next: Run = { ...run, counts, stage: { kind: "working" } };
  if (reason.kind === "held") return escalate(next, { reason: reason.why }, context);
  if (counts.conflicts > limits.conflictsMax) {
    return escalate(
      next,
      { reason: `sent back ${counts.conflicts} times by the merge queue` },
      context,
    );
  }
  if (reason.kind === "conflict") {
    return post(next, { kind: "conflict", text: say.conflict(reason.files, target) }, context);
  }
  return post(
    next,
    { kind: "tests-failed", text: say.testsFailed(reason.outcome, target) },
    context,
  );
}

export function reviewsObserved(run: Run, reviews: ReviewFacts[], context: Context): Run {
  if (run.head === undefined || !isActive(run)) return run;
  const review = reviewOf(reviews, run.head);
  if (review === undefined || review.id === run.review?.id) return run;
  return judge({ ...run, review }, review, context);
}

function judge(run: Run, review: ReviewFacts, context: Context): Run {
  if (run.stage.kind !== "reviewing" || run.stage.head !== review.head) return run;
  if (review.verdict === "approve") {
    const told = post(run, { kind: "approved", text: say.approved(review.author) }, context);
    return enqueue(told, review.head, context);
  }
  const { reviewRoundsMax } = run.config.limits;
  if (run.counts.reviewRounds >= reviewRoundsMax) {
    return block(
      run,
      `review_exhausted: changes still requested after ${reviewRoundsMax} rounds`,
      context,
    );
  }
  const counts = { ...run.counts, reviewRounds: run.counts.reviewRounds + 1 };
  const text = say.reviewChanges(review.author, review.body);
  return post(
    { ...run, counts, stage: { kind: "working" } },
    { kind: "review-changes", text },
    context,
  );
}

/** Green, and approved or no review required: into the merge queue, without the agent. */
function enqueue(run: Run, head: Commit, context: Context): Run {
  context.output.signals.push({
    kind: "MERGE_READY",
    at: context.at,
    project: run.project,
    identity: run.identity,
    run: run.id,
    detail: { branch: run.branch, head, pr_number: run.pr ?? null },
  });
  context.output.tells.push({
    to: queueAggregate(run.project),
    event: {
      kind: "entry-requested",
      at: context.at,
      entry: {
        run: run.id,
        identity: run.identity,
        branch: run.branch,
        head,
        pr: run.pr,
        issue: run.issue.number,
        title: run.issue.title,
        priority: run.issue.labels.includes(LABELS.priority) ? 1 : 0,
        ci: run.config.ci,
        strategy: run.config.merge.strategy,
      },
    },
  });
  return { ...run, stage: { kind: "queued", head } };
}

export function entryReturned(run: Run, event: EventOf<"entry-returned">, context: Context): Run {
  if (run.stage.kind !== "queued" || run.stage.head !== event.head) return run;
  return sendBack(run, event.reason, context);
}

export function entryLanded(run: Run, event: EventOf<"entry-landed">, context: Context): Run {
  if (!isActive(run)) return run;
  return land(run, event.commit, context);
}
