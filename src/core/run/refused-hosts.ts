// What is known of the hosts that a run's sessions may not reach, and what an answer does to one. When a
// person is asked is decided in host-reactions.ts.
//
//   refused ─┬> open ─> asked ─> allowed | denied
//            └> never
import { hostAllowed, hostDenied } from "../words/network.ts";
import type { Run } from "./run.ts";

/**
 * `open`: a person was not asked yet, because something else was asked or done at that time. `never`:
 * no answer can allow it, so no person is asked.
 */
export type RefusedHost = {
  /** As in a rule: `example.com`, `example.com:8443`. */
  host: string;
  why: string;
  at: number;
  status: "open" | "asked" | "allowed" | "denied" | "never";
};

export const withStatus = (run: Run, host: string, status: RefusedHost["status"]): Run => ({
  ...run,
  hosts: (run.hosts ?? []).map((one) => (one.host === host ? { ...one, status } : one)),
});

/** The run with the decision, and what its agent is told. */
export function hostAnswered(
  run: Run,
  { host, text }: { host: string; text: string },
): { run: Run; told: string } {
  const isYes = /^\s*(?:allow|yes)\b/i.test(text);
  const decided = withStatus(run, host, isYes ? "allowed" : "denied");
  return { run: decided, told: isYes ? hostAllowed(host) : hostDenied(host, text) };
}

/** What this run may reach besides what the configuration names. */
export const allowedHosts = ({ hosts }: Pick<Run, "hosts">): string[] =>
  (hosts ?? []).flatMap(({ host, status }) => (status === "allowed" ? [host] : []));
