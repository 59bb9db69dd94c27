// Signs of work of a living session: a tool call, a turn, a phase, a file. A process that lives, a
// screen that repaints and a clock that advances are signs of life only.
import type { Context } from "../context.ts";
import type { Evidence } from "../session/evidence.ts";
import { isLive, type LiveSession } from "../session/session.ts";
import { isAtWork, isAttended, waitsForBudget, type Run } from "./run.ts";
import type { Limits } from "../config.ts";

export function progressed(run: Run, context: Context): Run {
  const { session } = run;
  if (!isLive(session)) return run;
  const { at } = context;
  // What it came back from by itself is normal for this agent; waiting for others is no pause, and
  // what a person at its terminal does is not its own.
  const alone = isAtWork(run) && !isAttended(run);
  const pauseMs = alone ? at - quietSince(run, session) : 0;
  return {
    ...run,
    longestPauseMs: Math.max(run.longestPauseMs, pauseMs),
    session: {
      ...session,
      lastSeen: at,
      lastProgress: at,
      evidence: calm(session.evidence),
    },
  };
}

function calm(evidence: Evidence): Evidence {
  const { waiting: _, ...rest } = evidence;
  return { ...rest, idle: undefined, warned: false, strikes: 0 };
}

/**
 * Files of the session changed, perhaps long before they were seen. A session that stopped stays
 * stopped, and is looked at again. Only its own report ends that.
 */
export function noteActivity(run: Run, context: Context): Run {
  const next = progressed(run, context);
  const { idle, stopped, limit } = run.session?.evidence ?? {};
  if (idle === undefined || stopped === undefined) return next;
  const lookAt = Math.max(context.at, limit?.until ?? 0) + run.config.limits.idleCheckMs;
  return withEvidence(next, { idle: { checks: 0, lookAt } });
}

/** The evidence of the living session, changed. */
export function withEvidence(run: Run, change: Partial<Evidence>): Run {
  const { session } = run;
  if (!isLive(session)) return run;
  return { ...run, session: { ...session, evidence: { ...session.evidence, ...change } } };
}

// How long an agent whose turn it is may say nothing. Silence counts from its last progress, or
// from the last thing it was told; the verdict `stuck` needs more: that neither its processes nor
// the clock on its statusline have moved for as long.

/** An agent that is often silent for long is given more time, but never without end. */
const PATIENCE_FACTOR = 2;
const PATIENCE_MAX = 4;
/** After a look that could not decide; sooner where silence is measured in seconds. */
const LOOK_AGAIN_MS = 30_000;

export type Patience = { warnMs: number; stuckMs: number };

/**
 * Twice the longest silence this run's agent came back from by itself, where that is more than
 * what was configured; at most four times what was configured.
 */
export function patience(limits: Limits, longestPauseMs: number): Patience {
  const usual = PATIENCE_FACTOR * longestPauseMs;
  const adapted = (limitMs: number): number =>
    Math.min(Math.max(limitMs, usual), PATIENCE_MAX * limitMs);
  return { warnMs: adapted(limits.quietWarningMs), stuckMs: adapted(limits.stuckMs) };
}

export function quietSince(run: Run, session: LiveSession): number {
  const told = run.messages.reduce((newest, { at }) => Math.max(newest, at), 0);
  // A limit of its account that is over is where its time begins.
  const { limit } = session.evidence;
  return Math.max(session.startedAt, session.lastProgress, told, limit?.until ?? 0);
}

/** The last moment that anything proved it alive and able to continue. */
export function aliveSince(run: Run, session: LiveSession): number {
  const { busyAt, clock, waiting } = session.evidence;
  const known = [busyAt, clock?.advancedAt, waiting?.at].map((time) => time ?? 0);
  return Math.max(quietSince(run, session), ...known);
}

export type Silence = { warnAt: number; stuckAt: number };

/** Undefined where silence means nothing: it waits, it asks, or a person is there. */
export function silenceOf(run: Run): Silence | undefined {
  const { session } = run;
  if (!isLive(session) || session.status !== "live" || isAttended(run)) return undefined;
  if (!isAtWork(run) || session.handOff !== undefined || waitsForBudget(run)) return undefined;
  const { warnMs, stuckMs } = patience(run.config.limits, run.longestPauseMs);
  return {
    warnAt: quietSince(run, session) + warnMs,
    stuckAt: aliveSince(run, session) + stuckMs,
  };
}

/** When the next look is due because of silence. */
export function silenceDeadline(run: Run): number | undefined {
  const silence = silenceOf(run);
  const evidence = run.session?.evidence;
  if (silence === undefined || evidence === undefined) return undefined;
  const { warnAt, stuckAt } = silence;
  const dueAt = evidence.warned ? stuckAt : Math.min(warnAt, stuckAt);
  const againMs = Math.min(LOOK_AGAIN_MS, run.config.limits.quietWarningMs);
  return Math.max(dueAt, (evidence.lookedAt ?? -againMs) + againMs);
}
