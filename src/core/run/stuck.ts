// Is the agent at work, silent, idle or stuck? Signs of work, how long silence is waited out, the look
// at a session before anything is decided against it, and what is decided then.
//
// Signs of work are a tool call, a turn, a phase, a file. A process that lives, a screen that repaints
// and a clock that advances are signs of life only.
import type { Context } from "../context.ts";
import { filesMoved, sighted, type Evidence } from "../session/evidence.ts";
import { isLive, type LiveSession } from "../session/session.ts";
import { isAtWork, isAttended, waitsForBudget, warn, type Run } from "./run.ts";
import type { Limits } from "../config.ts";
import { withEvidence, endSession } from "./session-life.ts";
import { idleNudge } from "../words/messages.ts";
import { escalate } from "./escalate.ts";
import { isUntold } from "./message-reactions.ts";
import { openMessages, post } from "./message.ts";
import { formatDuration } from "../../lib/duration.ts";
import { announce } from "./tell.ts";
import type { RunEvent } from "./run-event.ts";
import { contextChanged } from "./hand-off.ts";

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

// Looking at a session before anything is decided against it: what the journal knows may be old, for
// instance when the daemon was away. One look at a time; what it finds comes as an event.

export function lookDeadline(run: Run): number | undefined {
  if (run.session?.evidence.looking !== false) return undefined;
  const times = [idleDeadline(run), silenceDeadline(run)].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

export function look(run: Run): Run {
  const { session } = run;
  if (session?.status !== "live") return run;
  return withEvidence(run, { looking: true });
}

/** The look came back and its evidence is in: now what was due is decided. */
export function looked(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.status !== "live") return run;
  const here = withEvidence(run, { looking: false, lookedAt: context.at });
  const checked = idleLooked(here, context);
  const silence = silenceOf(checked);
  if (silence === undefined || checked.session?.status !== "live") return checked;
  if (silence.stuckAt <= context.at) return stuck(checked, context);
  return silence.warnAt <= context.at ? warnOfSilence(checked, context) : checked;
}

/** The look failed: nothing is concluded from that, and it is tried again later. */
export function notLooked(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.status !== "live" || !session.evidence.looking) return run;
  const { idle } = session.evidence;
  const lookAt = context.at + run.config.limits.idleCheckMs;
  return withEvidence(run, {
    looking: false,
    lookedAt: context.at,
    idle: idle === undefined ? undefined : { ...idle, lookAt },
  });
}

// The idle prompt: the agent has stopped, nothing of it runs in the background, and it
// owes a phase. Three looks in a row that find it so, and it is nudged, twice at most; then the
// session ends as `incomplete` and a person is asked.

const LOOKS = 3;

/**
 * By its own hooks, not by what the screen shows. A person who is attached decides; and an agent
 * that was not told yet that it has work to do owes nothing.
 */
function isIdle(run: Run): boolean {
  const { session } = run;
  if (session?.status !== "live" || !isAtWork(run) || isAttended(run)) return false;
  const { stopped, question } = session.evidence;
  if (session.handOff !== undefined || question !== undefined) return false;
  if (run.closed !== undefined || isUntold(run)) return false;
  return stopped?.background === 0;
}

export const idleDeadline = (run: Run): number | undefined =>
  isIdle(run) ? run.session?.evidence.idle?.lookAt : undefined;

/** A turn has ended with nothing in the background: from here on, or once it may go on, it is looked at. */
export function beginIdle(run: Run, context: Context): Run {
  const free = Math.max(context.at, run.session?.evidence.limit?.until ?? 0);
  return withEvidence(run, {
    idle: { checks: 0, lookAt: free + run.config.limits.idleCheckMs },
  });
}

export function idleLooked(run: Run, context: Context): Run {
  const idle = run.session?.evidence.idle;
  if (idle === undefined || !isIdle(run) || idle.lookAt > context.at) return run;
  const checks = idle.checks + 1;
  if (checks >= LOOKS) return nudge(run, context);
  const lookAt = context.at + run.config.limits.idleCheckMs;
  return withEvidence(run, { idle: { checks, lookAt } });
}

function nudge(run: Run, context: Context): Run {
  const { counts, config } = run;
  const isOpen = openMessages(run).some((message) => message.kind === "nudge");
  if (run.session?.evidence.limit !== undefined && !isOpen) {
    // It was the account that stopped it, so that being woken is not held against it.
    return post(beginIdle(run, context), { kind: "nudge", text: idleNudge() }, context);
  }
  if (counts.nudges >= config.limits.nudgesMax) {
    const reason = "idle_prompt: the agent has stopped and writes no phase";
    return endSession(escalate(run, { reason }, context), "incomplete");
  }
  const counted = beginIdle({ ...run, counts: { ...counts, nudges: counts.nudges + 1 } }, context);
  // An unread nudge is enough.
  if (isOpen) return counted;
  return post(counted, { kind: "nudge", text: idleNudge() }, context);
}

// An agent that has said nothing for too long: first a warning, then the verdict `stuck`. Its output
// and its work are saved, it is started again once, and the second time a person is asked.

const RESTARTS_MAX = 1;

export function warnOfSilence(run: Run, context: Context): Run {
  const { session } = run;
  if (!isLive(session) || session.evidence.warned) return run;
  const quiet = formatDuration(context.at - quietSince(run, session));
  const isAlive = aliveSince(run, session) > quietSince(run, session);
  const waits = session.evidence.waiting === undefined ? "" : ": it waits for the model";
  const alive = isAlive ? ", but it is alive" : "";
  const warned = warn(run, `no progress for ${quiet}${waits === "" ? alive : waits}`, context);
  return withEvidence(warned, { warned: true });
}

export function stuck(run: Run, context: Context): Run {
  const { session, counts } = run;
  if (!isLive(session)) return run;
  const silentMs = context.at - aliveSince(run, session);
  const reason = `stuck: no sign of life or work for ${formatDuration(silentMs)}`;
  announce(
    run,
    { kind: "ORCHESTRATOR_STUCK", detail: { reason, times: counts.stuck + 1 } },
    context,
  );
  const counted: Run = { ...run, counts: { ...counts, stuck: counts.stuck + 1 } };
  const warned = warn(counted, reason, context);
  const asked =
    counts.stuck >= RESTARTS_MAX
      ? escalate(warned, { reason: `${reason}, again` }, context)
      : warned;
  return endSession(asked, "stuck");
}

// What a look at a session from outside means for its run. Seeing it alive proves life; files that
// moved prove work. Not seeing it proves nothing: after three strikes a person is told.

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

const STRIKES = 3;

export function seen(run: Run, event: EventOf<"session-seen">, context: Context): Run {
  if (!isLive(run.session)) return run;
  const known = contextChanged(note(worked(run, event, context), event), context);
  return event.asked === true ? looked(known, context) : known;
}

/** Files changed; or a person was attached until now, and the agent could not work meanwhile. */
function worked(run: Run, { attached, sighting }: EventOf<"session-seen">, context: Context): Run {
  const { session } = run;
  if (session === undefined) return run;
  const left = session.attached && !attached;
  const moved = sighting !== undefined && filesMoved(session.evidence, sighting);
  return left || moved ? noteActivity(run, context) : run;
}

function note(run: Run, { attached, sighting, at }: EventOf<"session-seen">): Run {
  const { session } = run;
  if (session === undefined) return run;
  const known = session.evidence;
  const calm = known.strikes === 0 ? known : { ...known, strikes: 0 };
  const evidence = sighting === undefined ? calm : sighted(calm, sighting, at);
  return { ...run, session: { ...session, lastSeen: at, attached, evidence } };
}

/** Three looks in a row and as long as an identity may be unseen: said once, and nothing is done. */
export function unseen(run: Run, context: Context): Run {
  const { session } = run;
  if (session?.status !== "live") return run;
  const strikes = session.evidence.strikes + 1;
  const struck = notLooked(withEvidence(run, { strikes }), context);
  const unseenMs = context.at - session.lastSeen;
  if (strikes !== STRIKES || unseenMs < run.config.limits.staleMs) return struck;
  const text = `stale: not seen for ${formatDuration(unseenMs)}, and three checks could not tell whether it is alive`;
  return warn(struck, text, context);
}
