// The run's step: which chapter answers an event, what follows by itself, and then the effects that
// the new state stands for. What an earlier epoch says, or a phase file says again, is refused here,
// in one place.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { CommonEvent, Event } from "../event.ts";
import type { RunEvent } from "./run-event.ts";
import { isLive } from "../session/session.ts";
import * as say from "../words/messages.ts";
import { cleared, releaseIssue, labelsObserved, lastSaved, withdraw } from "./clear.ts";
import {
  answered,
  dialogOf,
  escalate,
  questionPosted,
  raiseQuestion,
  raiseHost,
} from "./escalate.ts";
import { closed, keepBudget, opened, usageObserved } from "./run-budget.ts";
import { accountOpened, agentDenied, agentGiven, keepAgent } from "./take-over.ts";
import { effectFailed, noteUnsaved, workspaceKept } from "./failures.ts";
import { followHook } from "./hook-record.ts";
import * as sight from "./stuck.ts";
import {
  closeHeld,
  commented,
  followMail,
  mailArrived,
  mailRefusedHere,
  messageNotTyped,
  noteRead,
  nudged,
} from "./message-reactions.ts";
import { acknowledged, delivered, post } from "./message.ts";
import { reconcile } from "./obligations.ts";
import * as phase from "./phase-reactions.ts";
import { due, shiftDeadlines, proceed } from "./proceed.ts";
import { claimed, giveTask, prepareAgain, prepared, requestRun, unready } from "./request.ts";
import { isActive, isOver, type Run } from "./run.ts";
import { markStage } from "./stage.ts";
import * as life from "./session-life.ts";
import { spoolReceived } from "./spool-reactions.ts";
import * as task from "./task-reactions.ts";
import * as branch from "./branch-reactions.ts";

export function stepRun(run: Run | undefined, event: Event, output: Output): Run | undefined {
  const context = { at: event.at, output };
  const next = run === undefined ? begin(event) : reacted(run, event, context);
  if (next === undefined) return undefined;
  const marked = markStage(run, next, event.at);
  reconcile(run, marked, output);
  return marked;
}

function begin(event: Event): Run | undefined {
  if (event.kind === "run-requested") return requestRun(event);
  return event.kind === "task-given" ? giveTask(event) : undefined;
}

function reacted(run: Run, event: Event, context: Context): Run {
  if (isOver(run) || isStale(run, event) || phase.isTakenIn(run, event)) return run;
  const next = reactionTo(event)(run, event, context);
  // What follows from where the run stands now is asked after every event, so none can forget it.
  const read = phase.keepFetch(run, closeHeld(next), event);
  const asked = raiseHost(raiseQuestion(keepBudget(read, context), context), context);
  const settled = proceed(branch.keepPlace(keepAgent(asked, context), context), context);
  const hooked = followHook(run, settled, { event, context });
  return followMail(run, noteRead(run, hooked, context), context);
}

/** Old lives have no power: an event with an epoch counts only in that epoch's own life. */
const isStale = (run: Run, event: Event): boolean =>
  "epoch" in event && event.epoch !== run.session?.epoch;

type OwnEvent = RunEvent | CommonEvent;
type Reaction<E> = (run: Run, event: E, context: Context) => Run;
type Reactions = { [K in OwnEvent["kind"]]: Reaction<Extract<OwnEvent, { kind: K }>> };

const same = (run: Run): Run => run;

/** Which chapter answers which event. */
const REACTIONS: Reactions = {
  // The work: issue, workspace, branch, checks, reviews, queue.
  "run-requested": same,
  "task-given": same,
  "task-accepted": (run, { key }, context) => task.accepted(run, key, context),
  "task-refused": task.refused,
  "task-withdrawn": task.withdrawn,
  "issue-claimed": claimed,
  "claim-lost": (run, { why }, context) => withdraw(run, { kind: "lost", why }, context),
  "workspace-prepared": prepared,
  "workspace-unready": unready,
  "set-up-wanted": prepareAgain,
  "branch-fetched": phase.branchFetched,
  "branch-published": branch.branchPublished,
  "branch-overtaken": branch.branchOvertaken,
  "check-started": branch.checkStarted,
  "check-finished": branch.checkFinished,
  "check-conflicted": branch.checkConflicted,
  "reviews-observed": (run, { reviews }, context) => branch.reviewsObserved(run, reviews, context),
  "review-failed": branch.reviewFailed,
  "review-conflicted": branch.reviewConflicted,
  "issue-observed": issueObserved,
  "entry-landed": branch.entryLanded,
  "run-head-landed": branch.headLanded,
  "entry-returned": branch.entryReturned,
  "checkpoint-made": checkpointMade,
  "save-failed": (run, { why }, context) =>
    noteUnsaved(run, say.cannotSave(run.identity, why), context),
  "workspace-removed": (run, _event, context) => cleared(run, "workspaceGone", context),
  "workspace-kept": (run, { unsaved }, context) => workspaceKept(run, unsaved, context),
  "issue-settled": (run, _event, context) => cleared(run, "issueSettled", context),
  "pr-finished": (run, _event, context) => cleared(run, "issueSettled", context),
  // The session: its life, what it says, what it is told.
  "session-spawned": life.spawned,
  "session-seen": sight.seen,
  "session-unseen": (run, _event, context) => sight.unseen(run, context),
  "session-exited": (run, { exit }, context) => life.sessionExited(run, exit, context),
  "session-ended": sessionEnded,
  "usage-observed": usageObserved,
  "budget-closed": closed,
  "budget-opened": (run, _event, context) => opened(run, context),
  "agent-given": agentGiven,
  "agent-denied": (run, _event, context) => agentDenied(run, context),
  "account-opened": accountOpened,
  "phase-observed": phase.phaseObserved,
  "spool-received": spoolReceived,
  "message-delivered": (run, { id }) => delivered(run, id),
  "message-acknowledged": (run, { id }) => acknowledged(run, id),
  "message-held": messageNotTyped,
  "mail-arrived": mailArrived,
  "mail-refused": mailRefusedHere,
  // What people decide.
  "run-stopped": stopped,
  "run-retried": retried,
  "run-held": (run, { by, at }) => ({ ...run, held: { by, at } }),
  // The person who held it has worked in it until now.
  "run-released": (run, _event, context) => ({
    ...sight.progressed(run, context),
    held: undefined,
  }),
  "run-nudged": nudged,
  "line-commented": commented,
  "question-posted": questionPosted,
  "escalation-answered": answeredHere,
  // What every aggregate is told.
  "deadline-passed": (run, _event, context) => due(run, context),
  "clock-jumped": (run, { gapMs }) => shiftDeadlines(run, gapMs),
  "effect-failed": (run, { failed }, context) => effectFailed(run, failed, context),
};

const reactionTo = ({ kind }: Event): Reaction<Event> =>
  ((REACTIONS as Record<string, unknown>)[kind] as Reaction<Event> | undefined) ?? unknown;

/** A kind this version does not know is shown to a person, never skipped. */
function unknown(run: Run, { kind }: Event, context: Context): Run {
  return escalate(
    run,
    { reason: `received an event that this version does not know: ${kind}` },
    context,
  );
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
  return lastSaved(isNew ? sight.noteActivity(saved, context) : saved, context);
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
  // The forge closed it with the part that has landed: commits that the agent announced then follow.
  if (run.landedAs !== undefined) return run;
  const why = `the issue was closed by ${by ?? "a person"}`;
  return releaseIssue(run, why, context);
}

/** What was said to one question says nothing about the one that is open now. */
function answeredHere(
  run: Run,
  event: Extract<RunEvent, { kind: "escalation-answered" }>,
  context: Context,
): Run {
  const since = run.stage.kind === "escalated" ? run.stage.escalation.since : undefined;
  if (event.since !== undefined && event.since !== since) return run;
  return answered(run, event, context);
}

/** A session that a person stopped on purpose is not resurrected. */
function stopped(run: Run, { by, at }: Extract<RunEvent, { kind: "run-stopped" }>): Run {
  return life.endSession({ ...run, stopped: { by, at }, respawnAt: undefined }, "killed");
}

/** The only choice of a dialog, as of a failed turn: "Try again" means nothing else. */
function onlyChoice(run: Run): string | undefined {
  const [first, ...others] = dialogOf(run)?.choices ?? [];
  return others.length === 0 ? first : undefined;
}

/** A person wants it tried again: a stopped run resumes, an escalated one counts as answered. */
function retried(
  run: Run,
  event: Extract<RunEvent, { kind: "run-retried" }>,
  context: Context,
): Run {
  const free: Run = { ...run, stopped: undefined, crashes: [], respawnAt: undefined };
  if (run.stage.kind === "escalated") {
    const choice = onlyChoice(run);
    const reply = { by: event.by, text: choice ?? say.goOn(), isRetry: choice === undefined };
    return answered(free, reply, context);
  }
  if (isLive(run.session) || !isActive(run) || run.stage.kind !== "working") return free;
  return post(free, { kind: "answer", text: say.goOn(), resumes: true }, context);
}
