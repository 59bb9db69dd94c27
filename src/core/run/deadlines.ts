// Every wait of a run has a deadline. They are read off the state, so that none can be forgotten or
// outlive what it was for; a clock that jumped moves them all by the gap. When one has passed, what is
// due is done.
import type { Context } from "../context.ts";
import { shiftEvidence } from "../session/evidence.ts";
import { isLive, type Session } from "../session/session.ts";
import { checkOverdue } from "./check-reactions.ts";
import { exitDue } from "./clear.ts";
import { escalate, escalationDue } from "./escalate.ts";
import { handOffOverdue, reached } from "./hand-off.ts";
import { look, lookDeadline } from "./look.ts";
import { reviewOverdue } from "./review-reactions.ts";
import { handOffDeadline, isWaiting, lifeDeadline, waitsForBudget, type Run } from "./run.ts";
import { endSession, spawn } from "./session-life.ts";
import type { Stage } from "./stage.ts";
import { judgingOverdue } from "./task-reactions.ts";

/** The soonest instant at which something of this run is due. */
export function runDeadline(run: Run): number | undefined {
  const times = [
    run.respawnAt,
    ...stageDeadlines(run),
    lifeDeadline(run),
    lookDeadline(run),
    handOffDeadline(run),
  ];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function stageDeadlines({ stage, session }: Run): (number | undefined)[] {
  switch (stage.kind) {
    case "checking":
    case "reviewing":
    case "judging":
      return [stage.deadline];
    case "escalated":
      return [stage.escalation.remindAt, stage.escalation.deadline];
    case "landed":
      // A life that is being ended waits for its effect: there is nothing left to hurry.
      return isLive(session) && session.status !== "ending" ? [stage.exitBy] : [];
    default:
      return [];
  }
}

/** A wall clock that jumped moves what is measured against it. */
export function shiftDeadlines(run: Run, gapMs: number): Run {
  const { session } = run;
  return {
    ...run,
    respawnAt: run.respawnAt === undefined ? undefined : run.respawnAt + gapMs,
    stage: shiftStage(run.stage, gapMs),
    session: session === undefined ? undefined : shiftSession(session, gapMs),
  };
}

/** `lastSeen` stays: it says when it was seen, and nothing is done because of it alone. */
function shiftSession(session: Session, gapMs: number): Session {
  const { startedAt, lastProgress, evidence, handOff } = session;
  return {
    ...session,
    startedAt: startedAt + gapMs,
    lastProgress: lastProgress + gapMs,
    evidence: shiftEvidence(evidence, gapMs),
    handOff: handOff === undefined ? undefined : { ...handOff, deadline: handOff.deadline + gapMs },
  };
}

function shiftStage(stage: Stage, gapMs: number): Stage {
  switch (stage.kind) {
    case "checking":
      return stage.deadline === undefined ? stage : { ...stage, deadline: stage.deadline + gapMs };
    case "reviewing":
    case "judging":
      return { ...stage, deadline: stage.deadline + gapMs };
    case "escalated": {
      const { escalation } = stage;
      const remindAt = escalation.remindAt === undefined ? undefined : escalation.remindAt + gapMs;
      return {
        ...stage,
        escalation: { ...escalation, remindAt, deadline: escalation.deadline + gapMs },
      };
    }
    case "landed":
      return { ...stage, exitBy: stage.exitBy + gapMs };
    default:
      return stage;
  }
}

// A deadline of a run has passed: what is due is done, one thing after the other.

/** More can be due at once than this only by a bug, which is reported as a deadline that stays due. */
const DUE_MAX = 10;

/** All that is due: a reminder may be older than the end of the session's life that is done first. */
export function due(run: Run, context: Context): Run {
  let next = run;
  for (let count = 0; count < DUE_MAX; count += 1) {
    const before = next;
    next = nextDue(before, context);
    if (next === before || (runDeadline(next) ?? Infinity) > context.at) break;
  }
  return next;
}

function nextDue(run: Run, context: Context): Run {
  const passed = (deadline: number | undefined): boolean =>
    deadline !== undefined && deadline <= context.at;
  const { stage } = run;
  if (passed(run.respawnAt)) return respawn(run, context);
  if (stage.kind === "checking" && passed(stage.deadline)) {
    return checkOverdue(run, stage.head, context);
  }
  if (stage.kind === "reviewing" && passed(stage.deadline)) {
    return reviewOverdue(run, stage.head, context);
  }
  if (stage.kind === "judging" && passed(stage.deadline)) return judgingOverdue(run, context);
  if (passed(lifeDeadline(run))) return lifeOver(run, context);
  if (passed(handOffDeadline(run))) return handOffOverdue(run, context);
  if (passed(lookDeadline(run))) return look(run);
  return exitDue(escalationDue(run, context), context);
}

/** The back-off is over. If a person has stopped or holds the run, that person resumes it. */
function respawn(run: Run, context: Context): Run {
  const free: Run = { ...run, respawnAt: undefined };
  const mayStart = run.stopped === undefined && run.held === undefined && run.closed === undefined;
  const wanted = mayStart && reached(run) === undefined && !isLive(run.session);
  return wanted ? spawn(free, context) : free;
}

/** An agent that only waits is ended without a message: news will start another life. */
function lifeOver(run: Run, context: Context): Run {
  const reason = "timeout: the session reached its time limit";
  const asked = isWaiting(run) || waitsForBudget(run) ? run : escalate(run, { reason }, context);
  return endSession(asked, "timeout");
}
