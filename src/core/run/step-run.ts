// The run's step: who speaks, and which part of the run answers. What an earlier epoch says is
// refused here, in one place.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { CommonEvent, Event, RunEvent } from "../event.ts";
import * as say from "../words/messages.ts";
import { isLive } from "../session/session.ts";
import { nudged } from "./message-reactions.ts";
import * as check from "./verdicts.ts";
import { cleared, lastSaved, withdraw } from "./clear.ts";
import { shiftDeadlines } from "./proceed.ts";
import { due } from "./proceed.ts";
import { questionPosted } from "./escalate.ts";
import { answered, escalate } from "./escalate.ts";
import { effectFailed } from "./failures.ts";
import { closeHeld, messageNotTyped } from "./message-reactions.ts";
import { followHook } from "./hook-record.ts";
import { followMail, mailArrived, mailRefusedHere } from "./message-reactions.ts";
import { giveBack, labelsObserved } from "./clear.ts";
import * as phase from "./phase-reactions.ts";
import { acknowledged, delivered, post } from "./message.ts";
import { proceed } from "./proceed.ts";
import { progressed, stirred } from "./progress.ts";
import { raiseQuestion } from "./escalate.ts";
import * as queue from "./verdicts.ts";
import { claimed, giveTask, prepareAgain, prepared, requestRun, unready } from "./request.ts";
import * as review from "./verdicts.ts";
import { isActive, isOver, type Run } from "./run.ts";
import * as life from "./session-life.ts";
import * as sight from "./look.ts";
import { closed, keepBudget, opened, usageObserved } from "./hand-off.ts";
import { spoolReceived } from "./spool-reactions.ts";
import { noteUnsaved, workspaceKept } from "./failures.ts";
import * as task from "./task-reactions.ts";

export function stepRun(run: Run | undefined, event: Event, output: Output): Run | undefined {
  const context = { at: event.at, output };
  if (run === undefined) return begin(event, context);
  if (isOver(run) || isStale(run, event)) return run;
  const next = workEvent(run, event as RunEvent | CommonEvent, context);
  // What follows from where the run stands now is asked after every event, so none can forget it.
  const asked = raiseQuestion(keepBudget(closeHeld(next), context), context);
  const settled = proceed(queue.keepPlace(asked, context), context);
  return followMail(run, followHook(run, settled, { event, context }), context);
}

function begin(event: Event, context: Context): Run | undefined {
  if (event.kind === "run-requested") return requestRun(event, context);
  return event.kind === "task-given" ? giveTask(event, context) : undefined;
}

/** Old lives have no power: an event with an epoch counts only in that epoch's own life. */
const isStale = (run: Run, event: Event): boolean =>
  "epoch" in event && event.epoch !== run.session?.epoch;

/** Facts about the work: issue, workspace, branch, checks, reviews, queue. */
function workEvent(run: Run, event: RunEvent | CommonEvent, context: Context): Run {
  switch (event.kind) {
    case "run-requested":
    case "task-given":
      return run;
    case "task-accepted":
      return task.accepted(run, event.key, context);
    case "task-refused":
      return task.refused(run, event, context);
    case "task-withdrawn":
      return task.withdrawn(run, event, context);
    case "issue-claimed":
      return claimed(run, event, context);
    case "claim-lost":
      return withdraw(run, { kind: "lost", why: event.why }, context);
    case "workspace-prepared":
      return prepared(run, event, context);
    case "workspace-unready":
      return unready(run, event, context);
    case "set-up-wanted":
      return prepareAgain(run, event, context);
    case "branch-fetched":
      return phase.branchFetched(run, event, context);
    case "branch-published":
      return check.branchPublished(run, event, context);
    case "branch-overtaken":
      return check.branchOvertaken(run, event, context);
    case "check-started":
      return check.checkStarted(run, event, context);
    case "check-finished":
      return check.checkFinished(run, event, context);
    case "check-conflicted":
      return check.checkConflicted(run, event, context);
    case "reviews-observed":
      return review.reviewsObserved(run, event.reviews, context);
    case "review-failed":
      return review.reviewFailed(run, event, context);
    case "review-conflicted":
      return review.reviewConflicted(run, event, context);
    case "issue-observed":
      return issueObserved(run, event, context);
    case "entry-landed":
      return queue.entryLanded(run, event, context);
    case "entry-returned":
      return queue.entryReturned(run, event, context);
    case "checkpoint-made":
      return checkpointMade(run, event, context);
    case "save-failed":
      return noteUnsaved(run, say.cannotSave(run.identity, event.why), context);
    case "workspace-removed":
      return cleared(run, "workspaceGone", context);
    case "workspace-kept":
      return workspaceKept(run, event.unsaved, context);
    case "issue-settled":
    case "pr-finished":
      return cleared(run, "issueSettled", context);
    default:
      return sessionEvent(run, event, context);
  }
}

type WorkKind =
  | "run-requested"
  | "task-given"
  | "task-accepted"
  | "task-refused"
  | "task-withdrawn"
  | "issue-claimed"
  | "claim-lost"
  | "workspace-prepared"
  | "workspace-unready"
  | "set-up-wanted"
  | "branch-fetched"
  | "branch-published"
  | "branch-overtaken"
  | "check-started"
  | "check-finished"
  | "check-conflicted"
  | "reviews-observed"
  | "review-failed"
  | "review-conflicted"
  | "issue-observed"
  | "entry-landed"
  | "entry-returned"
  | "checkpoint-made"
  | "save-failed"
  | "workspace-removed"
  | "workspace-kept"
  | "issue-settled"
  | "pr-finished";

type SessionOrPersonEvent = Exclude<RunEvent | CommonEvent, { kind: WorkKind }>;

/** Facts about the session, what people decide, and what every aggregate is told. */
function sessionEvent(run: Run, event: SessionOrPersonEvent, context: Context): Run {
  switch (event.kind) {
    case "session-spawned":
      return life.spawned(run, event, context);
    case "session-seen":
      return sight.seen(run, event, context);
    case "session-unseen":
      return sight.unseen(run, context);
    case "session-exited":
      return life.sessionExited(run, event.exit, context);
    case "session-ended":
      return sessionEnded(run, event, context);
    case "usage-observed":
      return usageObserved(run, event, context);
    case "budget-closed":
      return closed(run, event);
    case "budget-opened":
      return opened(run, context);
    case "phase-observed":
      return phase.phaseObserved(run, event, context);
    case "spool-received":
      return spoolReceived(run, event, context);
    case "message-delivered":
      return delivered(run, event.id);
    case "message-acknowledged":
      return acknowledged(run, event.id);
    case "message-held":
      return messageNotTyped(run, event, context);
    case "run-stopped":
      return stopped(run, event, context);
    case "run-retried":
      return retried(run, event, context);
    case "run-held":
      return { ...run, held: { by: event.by, at: event.at } };
    case "run-released":
      // Who held it has worked in it until now.
      return { ...progressed(run, context), held: undefined };
    case "question-posted":
      return questionPosted(run, event);
    case "escalation-answered":
      return answered(run, event, context);
    case "run-nudged":
      return nudged(run, event, context);
    case "mail-arrived":
      return mailArrived(run, event, context);
    case "mail-refused":
      return mailRefusedHere(run, event, context);
    case "deadline-passed":
      return due(run, context);
    case "clock-jumped":
      return shiftDeadlines(run, event.gapMs);
    case "effect-failed":
      return effectFailed(run, event.failed, context);
    default:
      return unknown(run, event, context);
  }
}

/** A kind this version does not know is shown to a person, never skipped. */
function unknown(run: Run, event: never, context: Context): Run {
  const { kind } = event as { kind: string };
  return escalate(run, { reason: `an event this version does not know arrived: ${kind}` }, context);
}

/** What it has used is known for sure only now. */
function sessionEnded(
  run: Run,
  { epoch, used }: Extract<RunEvent, { kind: "session-ended" }>,
  context: Context,
): Run {
  const counted = used === undefined ? run : usageObserved(run, used, context);
  return life.sessionEnded(counted, epoch, context);
}

/** Content that was not saved before is work. */
function checkpointMade(
  run: Run,
  event: Extract<RunEvent, { kind: "checkpoint-made" }>,
  context: Context,
): Run {
  if (event.outcome.kind === "absent") return lastSaved(run, context);
  const { commit, skipped } = event.outcome;
  const about = skipped.length === 0 ? undefined : say.notSaved(run.identity, skipped);
  const saved: Run = noteUnsaved({ ...run, checkpoint: commit }, about, context);
  const isNew = event.outcome.kind === "saved" && run.checkpoint !== undefined;
  return lastSaved(isNew ? stirred(saved, context) : saved, context);
}

/** The issue was closed from outside: nothing is attempted until it is reopened. */
function issueObserved(
  run: Run,
  event: Extract<RunEvent, { kind: "issue-observed" }>,
  context: Context,
): Run {
  if (run.work.kind !== "issue") return run;
  const { state, labels, by } = event;
  if (state === "open") return labelsObserved(run, { labels, by }, context);
  const why = `the issue was closed by ${by ?? "a person"}`;
  return giveBack(run, why, context);
}

/** A session that a person stopped on purpose is not resurrected. */
function stopped(
  run: Run,
  event: Extract<RunEvent, { kind: "run-stopped" }>,
  context: Context,
): Run {
  const { by, at } = event;
  return life.endSession({ ...run, stopped: { by, at }, respawnAt: undefined }, "killed", context);
}

/** A person wants it tried again: a stopped run resumes, an escalated one counts as answered. */
function retried(
  run: Run,
  event: Extract<RunEvent, { kind: "run-retried" }>,
  context: Context,
): Run {
  const free: Run = { ...run, stopped: undefined, crashes: [], respawnAt: undefined };
  if (run.stage.kind === "escalated")
    return answered(free, { by: event.by, text: say.goOn() }, context);
  if (isLive(run.session) || !isActive(run) || run.stage.kind !== "working") return free;
  return post(free, { kind: "answer", text: say.goOn() }, context);
}
