// The idle prompt: the agent has stopped, nothing of it runs in the background, and it
// owes a phase. Three looks in a row that find it so, and it is nudged, twice at most; then the
// session ends as `incomplete` and a person is asked.
import type { Context } from "../context.ts";
import { idleNudge } from "../words/messages.ts";
import { escalate } from "./escalate.ts";
import { isUntold } from "./hold-message.ts";
import { withEvidence } from "./progress.ts";
import { openMessages, post } from "./post.ts";
import { isAtWork, isAttended, type Run } from "./run.ts";
import { endSession } from "./session-life.ts";

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
    return endSession(escalate(run, { reason }, context), "incomplete", context);
  }
  const counted = beginIdle({ ...run, counts: { ...counts, nudges: counts.nudges + 1 } }, context);
  // An unread nudge is enough.
  if (isOpen) return counted;
  return post(counted, { kind: "nudge", text: idleNudge() }, context);
}
