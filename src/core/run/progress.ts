// Signs of work of a living session: a tool call, a turn, a phase, a file. A process that lives, a
// screen that repaints and a clock that advances are signs of life only.
import type { Context } from "../context.ts";
import type { Evidence } from "../session/evidence.ts";
import { isLive } from "../session/session.ts";
import { quietSince } from "./silence.ts";
import { isAtWork, isAttended, type Run } from "./run.ts";

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
      evidence: { ...session.evidence, idle: undefined, warned: false, strikes: 0 },
    },
  };
}

/**
 * Files of the session changed, perhaps long before they were seen. A session that stopped stays
 * stopped, and is looked at again. Only its own report ends that.
 */
export function stirred(run: Run, context: Context): Run {
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
