// The hosts that the proxy of a run's session refused. An answer that begins with "allow" opens one for
// this run; any other keeps it closed, and its words go to the agent.
import { isAllowed, parseHostRule } from "../network/host-rules.ts";
import { hostAllowed, hostDenied } from "../words/network.ts";
import type { RefusedHost, Run } from "./run.ts";

/** An answer opens a name. An address, and a name that is allowed and leads to this machine, it cannot. */
export function canBeAllowed(run: Run, host: string): boolean {
  const wanted = parseHostRule(host);
  if (wanted.kind === "wrong") return false;
  const { port = 443, ...rule } = wanted.rule;
  const rules = (run.config.isolation?.hosts ?? []).flatMap((text) => {
    const parsed = parseHostRule(text);
    return parsed.kind === "rule" ? [parsed.rule] : [];
  });
  return !isAllowed(rules, { host: rule.host, port });
}

/** "asked" while nothing is asked: the agent wrote a phase first. Only once more: it holds the run up. */
export const isUnanswered = ({ status, isAskedAgain }: RefusedHost): boolean =>
  status === "open" || (status === "asked" && isAskedAgain === undefined);

export const withHost = (run: Run, host: string, change: Partial<RefusedHost>): Run => ({
  ...run,
  hosts: (run.hosts ?? []).map((one) => (one.host === host ? { ...one, ...change } : one)),
});

/** The run with the decision, and what its agent is told. */
export function hostAnswered(
  run: Run,
  { host, text }: { host: string; text: string },
): { run: Run; told: string } {
  const isYes = /^\s*(?:allow|yes)\b/i.test(text);
  const decided = withHost(run, host, { status: isYes ? "allowed" : "denied" });
  return { run: decided, told: isYes ? hostAllowed(host) : hostDenied(host, text) };
}
