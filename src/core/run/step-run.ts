// The run's step: who speaks, and which part of the run answers. What an earlier epoch says is
// refused here, in one place.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { CommonEvent, Event, RunEvent } from "../event.ts";
import { runAggregate } from "../ids.ts";
import * as say from "../messages.ts";
import { isLive } from "../session/session.ts";
import { cleared, farewellDue, withdraw } from "./clear.ts";
import { lifeDeadline, shiftDeadlines } from "./deadlines.ts";
import { answered, escalate, escalationDue } from "./escalate.ts";
import { effectFailed } from "./failures.ts";
import { deliverQueued, mapMessages, post } from "./post.ts";
import { proceed, sessionEnded } from "./proceed.ts";
import * as reaction from "./reactions.ts";
import { isActive, isOver, type Run } from "./run.ts";
import { requestRun } from "./request.ts";
import { endSession, sessionExited, spawn } from "./session-life.ts";

export function stepRun(run: Run | undefined, event: Event, output: Output): Run | undefined {
  const context = { at: event.at, output };
  if (run === undefined)
    return event.kind === "run-requested" ? requestRun(event, context) : undefined;
  if (isOver(run) || isStale(run, event)) return run;
  const next = taken(run, event as RunEvent | CommonEvent, context);
  // News that asks for work starts a life where none runs; nothing else does it by accident.
  return proceed(next, context);
}

/** Old lives have no power: whatever carries an epoch counts only in that epoch's own life. */
const isStale = (run: Run, event: Event): boolean =>
  "epoch" in event && event.kind !== "run-ended" && event.epoch !== run.session?.epoch;

function taken(run: Run, event: RunEvent | CommonEvent, context: Context): Run {
  switch (event.kind) {
    case "run-requested":
      return run;
    case "issue-claimed":
      return claimed(run, event, context);
    case "claim-lost":
      return withdraw(run, { kind: "lost", why: event.why }, context);
    case "workspace-prepared":
      return prepared(run, event, context);
    case "branch-fetched":
      return reaction.branchFetched(run, event, context);
    case "branch-published":
      return reaction.branchPublished(run, event, context);
    case "check-started":
      return checkStarted(run, event, context);
    case "check-finished":
      return reaction.checkFinished(run, event, context);
    case "check-conflicted":
      return reaction.checkConflicted(run, event, context);
    case "reviews-observed":
      return reaction.reviewsObserved(run, event.reviews, context);
    case "issue-observed":
      return issueObserved(run, event, context);
    case "entry-landed":
      return reaction.entryLanded(run, event, context);
    case "entry-returned":
      return reaction.entryReturned(run, event, context);
    case "checkpoint-made":
      return event.outcome.kind === "absent" ? run : { ...run, checkpoint: event.outcome.commit };
    case "workspace-removed":
      return cleared(run, "workspaceGone", context);
    case "issue-settled":
      return cleared(run, "issueSettled", context);
    default:
      return sessionEvent(run, event, context);
  }
}

type SessionOrOperatorEvent = Exclude<
  RunEvent | CommonEvent,
  {
    kind:
      | "run-requested"
      | "issue-claimed"
      | "claim-lost"
      | "workspace-prepared"
      | "branch-fetched"
      | "branch-published"
      | "check-started"
      | "check-finished"
      | "check-conflicted"
      | "reviews-observed"
      | "issue-observed"
      | "entry-landed"
      | "entry-returned"
      | "checkpoint-made"
      | "workspace-removed"
      | "issue-settled";
  }
>;

function sessionEvent(run: Run, event: SessionOrOperatorEvent, context: Context): Run {
  switch (event.kind) {
    case "session-spawned":
      return spawned(run, event, context);
    case "session-seen":
      return seen(run, event);
    case "session-exited":
      return sessionExited(run, event.exit, context);
    case "session-ended":
      return sessionEnded(run, event.epoch, context);
    case "phase-observed":
      return reaction.phaseObserved(run, event, context);
    case "spool-received":
      return progressed(run, context);
    case "message-delivered":
      return mapMessages(run, (message) =>
        message.id === event.id && message.status === "queued"
          ? { ...message, status: "delivered" }
          : message,
      );
    case "message-acknowledged":
      return mapMessages(run, (message) =>
        message.id === event.id ? { ...message, status: "acknowledged" } : message,
      );
    case "run-stopped":
      return endSession({ ...run, stopped: { by: event.by, at: event.at } }, "killed", context);
    case "run-retried":
      return retried(run, event, context);
    case "run-held":
      return { ...run, held: { by: event.by, at: event.at } };
    case "run-released":
      return { ...run, held: undefined };
    case "escalation-answered":
      return answered({ ...run, stopped: undefined }, event, context);
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

function claimed(
  run: Run,
  event: Extract<RunEvent, { kind: "issue-claimed" }>,
  context: Context,
): Run {
  if (run.stage.kind !== "claiming") return run;
  const { issue } = event;
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:prepare`,
    lane: aggregate,
    effect: {
      kind: "prepare-workspace",
      identity: run.identity,
      branch: run.branch,
      checkpoint: run.checkpoint,
      workspace: run.config.workspace,
      slot: run.slot,
    },
  });
  const { number, title, body, labels, url } = issue;
  return { ...run, issue: { number, title, body, labels, url }, stage: { kind: "preparing" } };
}

function prepared(
  run: Run,
  event: Extract<RunEvent, { kind: "workspace-prepared" }>,
  context: Context,
): Run {
  if (run.stage.kind !== "preparing") return run;
  const next: Run = { ...run, base: event.base, stage: { kind: "working" } };
  return run.stopped === undefined && run.held === undefined ? spawn(next, context) : next;
}

function spawned(
  run: Run,
  event: Extract<RunEvent, { kind: "session-spawned" }>,
  context: Context,
): Run {
  const { session } = run;
  if (session?.status !== "spawning") return run;
  const live: Run = {
    ...run,
    session: {
      ...session,
      status: "live",
      process: event.process,
      pane: event.pane,
      lastSeen: context.at,
    },
    messages: run.messages.map((message) =>
      event.told.includes(message.id)
        ? { ...message, status: "told", epoch: event.epoch }
        : message,
    ),
    warnings:
      event.phaseLink === "taken"
        ? [
            ...run.warnings,
            {
              at: context.at,
              text: "the phase path in /tmp is taken by someone else; it was left alone",
            },
          ]
        : run.warnings,
  };
  return deliverQueued(live, context);
}

function seen(run: Run, event: Extract<RunEvent, { kind: "session-seen" }>): Run {
  const { session } = run;
  if (session === undefined) return run;
  return { ...run, session: { ...session, lastSeen: event.at, attached: event.attached } };
}

function progressed(run: Run, context: Context): Run {
  const { session } = run;
  if (session === undefined) return run;
  return { ...run, session: { ...session, lastSeen: context.at, lastProgress: context.at } };
}

function checkStarted(
  run: Run,
  event: Extract<RunEvent, { kind: "check-started" }>,
  context: Context,
): Run {
  if (run.stage.kind !== "checking" || run.stage.head !== event.head) return run;
  return { ...run, stage: { ...run.stage, deadline: context.at + run.config.limits.ciTimeoutMs } };
}

/** The issue was closed by somebody else: there is nothing left to attempt. */
function issueObserved(
  run: Run,
  event: Extract<RunEvent, { kind: "issue-observed" }>,
  context: Context,
): Run {
  if (event.state === "open") return run;
  return withdraw(run, { kind: "closed", why: "the issue was closed by somebody else" }, context);
}

/** A person wants it tried again: a stopped run goes on, an escalated one counts as answered. */
function retried(
  run: Run,
  event: Extract<RunEvent, { kind: "run-retried" }>,
  context: Context,
): Run {
  const free: Run = { ...run, stopped: undefined, crashes: [] };
  if (run.stage.kind === "escalated")
    return answered(free, { by: event.by, text: say.goOn() }, context);
  if (isLive(run.session) || !isActive(run) || run.stage.kind !== "working") return free;
  return post(free, { kind: "answer", text: say.goOn() }, context);
}

function due(run: Run, context: Context): Run {
  if (run.respawnAt !== undefined && run.respawnAt <= context.at && !isLive(run.session)) {
    return run.stopped === undefined && run.held === undefined
      ? spawn(run, context)
      : { ...run, respawnAt: undefined };
  }
  const { stage } = run;
  if (stage.kind === "checking" && stage.deadline !== undefined && stage.deadline <= context.at) {
    const told = post(run, { kind: "ci-timeout", text: say.ciTimeout() }, context);
    return escalate(told, { reason: "CI timeout: no result within the limit" }, context);
  }
  if (stage.kind === "reviewing" && stage.deadline <= context.at) {
    const told = post(run, { kind: "review-timeout", text: say.reviewTimeout() }, context);
    return escalate(told, { reason: "no review within the limit" }, context);
  }
  const life = lifeDeadline(run);
  if (life !== undefined && life <= context.at) {
    const asked = escalate(
      run,
      { reason: "timeout: the session reached its longest allowed life" },
      context,
    );
    return endSession(asked, "timeout", context);
  }
  return farewellDue(escalationDue(run, context), context);
}
