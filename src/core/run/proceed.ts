// What follows by itself after every event.
//
// When no life of a run's agent is running: a dead agent is never a finished one. What follows
// depends on the stage, on the evidence, and on what people said. Asked after every event, so that
// no event can forget it; doing it twice does nothing.
import type { Context } from "../context.ts";
import { isLive, type Session } from "../session/session.ts";
import { exitedWithoutPhase } from "../words/messages.ts";
import { clearAway } from "./clear.ts";
import { escalate } from "./escalate.ts";
import { cannotStart } from "./fallback.ts";
import { countHandOff, reached } from "./hand-off.ts";
import { isActionable, openMessages, post } from "./message.ts";
import { isActive, isWaiting, type Run } from "./run.ts";
import { endAgain, spawn } from "./session-life.ts";

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

const startProblem = (run: Run, code: number): string =>
  code === 127
    ? `the agent's command ${JSON.stringify(run.config.agent.command)} was not found (exit code 127)`
    : `the agent's command ${JSON.stringify(run.config.agent.command)} could not be executed (exit code 126)`;

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
