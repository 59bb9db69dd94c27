// When a step is tried again, by whom, and when a person is asked: the rules of the story automator
// as code. Where its documents contradict each other, the seed wins: `incomplete` escalates at once.
export type Attempt = {
  agent: string;
  finalState: string;
  verified: boolean;
  todosDone: number;
  /** The connection, the provider or a limit failed, not the work. */
  networkError: boolean;
};

export type Policy = { attemptsMax: number; crashRetriesMax: number; reviewCyclesMax: number };
export const POLICY: Policy = { attemptsMax: 5, crashRetriesMax: 2, reviewCyclesMax: 5 };

export type NextAttempt = {
  action: "start" | "retry" | "proceed" | "skip" | "defer" | "escalate";
  attempt: number;
  agent: string;
  delay_s: number;
  reason: string;
};

const DELAY_S = 60;
const DELAY_FROM_ATTEMPT = 4;
const AUTO_ATTEMPTS_MAX = 3;
const PLATEAU = 3;
const NETWORK =
  /connection (?:refused|reset|timed out)|timed? ?out connecting|rate.?limit|\b(?:502|503|529)\b|overloaded/i;

/** By what the session said last; a crash that said nothing failed before it began. */
export const isNetworkError = (output: string, finalState: string): boolean =>
  NETWORK.test(output.slice(-4_000)) || (finalState === "crashed" && output.length < 100);

export function nextAttempt(
  step: string,
  attempts: readonly Attempt[],
  agents: { primary: string; fallback: string | undefined; policy: Policy },
): NextAttempt {
  const attempt = attempts.length + 1;
  const last = attempts.at(-1);
  const agent = agentFor(attempt, agents);
  const isLate = attempt >= DELAY_FROM_ATTEMPT || last?.networkError === true;
  const answer = (action: NextAttempt["action"], reason: string): NextAttempt => ({
    action,
    attempt,
    agent,
    delay_s: action === "retry" && isLate ? DELAY_S : 0,
    reason,
  });
  if (last === undefined) return answer("start", "first_attempt");
  if (last.finalState === "completed" && last.verified) return answer("proceed", "verified");
  const giveUp = reasonToGiveUp(step, attempts, agents.policy);
  if (giveUp === undefined) return answer("retry", last.finalState);
  // Tests that were asked for on top, and a look back, never hold up the stories.
  if (step === "auto" || step === "retro") return answer("skip", giveUp);
  return answer(giveUp === "plateau" ? "defer" : "escalate", giveUp);
}

function reasonToGiveUp(
  step: string,
  attempts: readonly Attempt[],
  policy: Policy,
): string | undefined {
  const last = attempts.at(-1)?.finalState;
  if (last === "incomplete" || last === "timeout") return last;
  const own = attempts.filter(({ networkError }) => !networkError);
  const crashes = own.filter(({ finalState }) => finalState === "crashed").length;
  if (crashes > policy.crashRetriesMax) return "crash_retries_exhausted";
  if (isPlateau(own)) return "plateau";
  const most = step === "auto" ? AUTO_ATTEMPTS_MAX : policy.attemptsMax;
  return attempts.length >= most ? "attempts_exhausted" : undefined;
}

/** The same todos done again and again, in attempts of any agent. */
function isPlateau(attempts: readonly Attempt[]): boolean {
  const last = attempts.slice(-PLATEAU);
  const done = last[0]?.todosDone ?? 0;
  return last.length === PLATEAU && done > 0 && last.every(({ todosDone }) => todosDone === done);
}

/** Odd attempts are the primary's, even ones the fallback's, where there is one. */
function agentFor(
  attempt: number,
  { primary, fallback }: { primary: string; fallback: string | undefined },
): string {
  const none = fallback === undefined || fallback === "" || fallback === "false";
  return attempt % 2 === 1 || none ? primary : fallback;
}

export type Escalation = { escalate: boolean; trigger: string; reason?: string; action?: string };

/** `context`: `cycles=5`, `retries=2` or `created=0`; without a number, `counted` is what is kept. */
export function escalation(
  trigger: string,
  context: string,
  { counted, policy }: { counted: number | undefined; policy: Policy },
): Escalation {
  const told = /(?:cycles|retries|created)=(\d+)/.exec(context)?.[1];
  const count = told === undefined ? (counted ?? 0) : Number(told);
  if (trigger === "review-loop") {
    const { reviewCyclesMax: most } = policy;
    if (count < most) return { escalate: false, trigger };
    return { escalate: true, trigger, reason: `${count} review cycles, at most ${most}` };
  }
  if (trigger === "session-crash") {
    const { crashRetriesMax: most } = policy;
    if (count < most) return { escalate: false, trigger, action: "retry" };
    return { escalate: true, trigger, reason: `${count} retries after crashes, at most ${most}` };
  }
  if (trigger === "story-validation") {
    if (count === 1) return { escalate: false, trigger };
    return { escalate: true, trigger, reason: `${count} story files were made instead of 1` };
  }
  // What this version does not know is for a person: it is never passed over.
  return { escalate: true, trigger, reason: "unknown_trigger" };
}
