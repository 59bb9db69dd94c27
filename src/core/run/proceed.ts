// What follows by itself: after every event, whichever it was, and when a wait has ended.
import type { Context } from "../context.ts";
import { isLive, type Session } from "../session/session.ts";
import { exitedWithoutPhase } from "../words/messages.ts";
import { clearAway, exitDue } from "./clear.ts";
import { escalate, escalationDue } from "./escalate.ts";
import { countHandOff, handOffOverdue } from "./hand-off.ts";
import { reached } from "./run-budget.ts";
import { cannotStart } from "./take-over.ts";
import { isActionable, openMessages, post } from "./message.ts";
import {
  isActive,
  isWaiting,
  handOffDeadline,
  lifeDeadline,
  waitsForBudget,
  type Run,
} from "./run.ts";
import { endAgain, spawn, endSession } from "./session-life.ts";
import { shiftEvidence } from "../session/evidence.ts";
import { checkOverdue, reviewOverdue } from "./branch-reactions.ts";
import { look, lookDeadline } from "./stuck.ts";
import type { Stage } from "./stage.ts";
import { judgingOverdue } from "./task-reactions.ts";

// When no life of a run's agent is running: a dead agent is never a finished one. What follows
// depends on the stage, on the evidence, and on what people said. Asked after every event, so that
// no event can forget it; doing it twice does nothing.

const BACKOFF_FIRST_MS = 10_000;
const BACKOFF_MAX_MS = 300_000;
/** A life this long was healthy: its successor starts at once, as after a first crash. */
const HEALTHY_MS = 600_000;
/** Shells use these for "cannot execute" and "not found": starting again cannot help. */
const CANNOT_START = new Set([126, 127]);

export function proceed(run: Run, context: Context): Run {
  if (!isActive(run)) return clearAway(endAgain(run), context);
  if (isLive(run.session) || !mayStart(run)) return endAgain(run);
  if (run.next !== undefined && !isWaiting(run)) return spawn(run, context);
  if (run.session?.verdict === "crashed") return afterCrash(run, run.session, context);
  // An agent may exit while others work for it; a new life starts when there is news.
  if (isWaiting(run)) return openMessages(run).some(isActionable) ? spawn(run, context) : run;
  if (run.session?.verdict === "incomplete" && !hasNews(run)) return afterSilence(run, context);
  if (run.session?.verdict === "handed_off") return afterHandOff(run, context);
  return spawn(run, context);
}

/** Something the agent has not been shown yet, and that asks it to do something. */
const hasNews = (run: Run): boolean =>
  run.messages.some((message) => message.status === "queued" && isActionable(message));

/** A person's word, a spent budget, a missing workspace and a back-off keep a life from starting. */
const mayStart = (run: Run): boolean =>
  run.stopped === undefined &&
  run.held === undefined &&
  run.closed === undefined &&
  run.respawnAt === undefined &&
  run.seeks?.cannotStart !== true &&
  reached(run) === undefined &&
  run.stage.kind !== "claiming" &&
  run.stage.kind !== "preparing" &&
  run.stage.kind !== "escalated";

function afterCrash(run: Run, session: Session, context: Context): Run {
  const code = session.exit?.code ?? undefined;
  if (!session.spoke && code !== undefined && CANNOT_START.has(code)) {
    if (retryable(run)) return spawn(run, context);
    const reason = startProblem(run, code);
    return cannotStart(run, reason, context) ?? escalate(run, { reason }, context);
  }
  const sinceCommit = run.crashes.filter((crash) => crash.head === run.head).length;
  if (sinceCommit > 0 && sinceCommit >= run.config.limits.crashesMax) {
    return escalate(run, { reason: `crashed ${sinceCommit} times without a new commit` }, context);
  }
  const healthy = session.lastSeen - session.startedAt >= HEALTHY_MS;
  const delayMs = healthy ? 0 : backoffMs(sinceCommit);
  if (delayMs === 0) return spawn(run, context);
  return { ...run, respawnAt: context.at + delayMs };
}

function afterHandOff(run: Run, context: Context): Run {
  const counted = countHandOff(run, context);
  return counted.stage.kind === "escalated" ? counted : spawn(counted, context);
}

/** A person said "again" after the crash: its record was wiped, so that even a hopeless start is tried. */
const retryable = (run: Run): boolean => run.crashes.length === 0;

function startProblem({ config: { agent } }: Run, code: number): string {
  const isOwn = agent.command.length > 0;
  const what = isOwn
    ? `the agent's command ${JSON.stringify(agent.command)}`
    : `the program of the agent ${agent.runtime}`;
  if (code !== 127) return `${what} could not be executed (exit code 126)`;
  const help = isOwn ? "" : "; `pawl doctor` says how to install it";
  return `${what} was not found (exit code 127)${help}`;
}

/** The first successor starts at once; then 10 s, doubling to 5 min. */
export const backoffMs = (crashes: number): number =>
  crashes <= 1 ? 0 : Math.min(BACKOFF_FIRST_MS * 2 ** (crashes - 2), BACKOFF_MAX_MS);

function afterSilence(run: Run, context: Context): Run {
  const { counts, config, session } = run;
  const { limit } = session?.evidence ?? {};
  // It left because of its account, and that was waited for: nothing to hold against it.
  if (limit !== undefined && limit.until > (session?.lastSeen ?? 0)) return spawn(run, context);
  if (counts.nudges >= config.limits.nudgesMax) {
    return escalate(
      run,
      { reason: "idle_prompt: the agent ended without writing a phase" },
      context,
    );
  }
  const counted: Run = { ...run, counts: { ...counts, nudges: counts.nudges + 1 } };
  // One unanswered nudge is enough.
  if (openMessages(run).some((message) => message.kind === "nudge")) return spawn(counted, context);
  return spawn(post(counted, { kind: "nudge", text: exitedWithoutPhase() }, context), context);
}

// Every wait of a run has a deadline. They are read off the state, so that none can be forgotten or
// outlive what it was for; a clock that jumped moves them all by the gap. When one has passed, what is
// due is done.

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
