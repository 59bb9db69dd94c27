// What CI says of a branch, and what the run does with it.
//
// CI starts when the branch is published, and its result goes to the agent, to the reviewers or to
// the merge queue. A red result costs one of the agent's fixes; a failure of the CI infrastructure
// costs none.
import * as say from "../words/messages.ts";
import { firstFailure, type CheckOutcome } from "../check.ts";
import type { Context } from "../context.ts";
import type { RunEvent } from "./run-event.ts";
import type { Commit } from "../ids.ts";
import { block, escalate } from "./escalate.ts";
import { post } from "./message.ts";
import { checkObligation, postStatus, startCheck } from "./obligations.ts";
import { enqueue, sendBack } from "./queue-reactions.ts";
import { judge, askForReview } from "./review-reactions.ts";
import { needsReview, type Run } from "./run.ts";
import { markRemembered } from "./stage-marks.ts";

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
    const gate = firstFailure(outcome.results)?.gate ?? "CI";
    return block(run, `ci_exhausted: ${gate} still fails after ${ciFixesMax} fixes`, context);
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
