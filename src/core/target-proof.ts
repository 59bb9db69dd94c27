// What is known of the bare target: whether the project's gate passes there, and if not, why. The
// merge queue proves it, and the project starts no agent on a target that fails.
import { firstFailure, type CheckOutcome, type CiGateResult, type ServerWord } from "./check.ts";
import type { CiConfig } from "./config.ts";
import type { Commit } from "./ids.ts";

/** Why no agent can succeed on this target. */
export type TargetFailure = {
  /** Undefined where the target could not even be read. */
  commit: Commit | undefined;
  /** The gate ran and failed, or it could not run, or no workspace can be set up. */
  kind: "red" | "broken" | "set-up";
  /** Which command failed, and how. */
  why: string;
  /** The end of its output. */
  logTail: string;
  logFile: string | undefined;
};

/** To a project, from its merge queue and from people. */
export type TargetTold =
  /** The merge queue tells: the project's gate passes on the bare target … */
  | { kind: "target-proven"; at: number }
  /** … or fails there, or cannot run … */
  | { kind: "target-failed"; at: number; failure: TargetFailure }
  /** … or only a CI server judges, and it has no verdict on the target … */
  | { kind: "target-open"; at: number; why: string }
  /** … or the target has moved, and nothing is known yet. */
  | { kind: "target-unproven"; at: number }
  /** A person wants the gate to run again on the target, or agents to start all the same. */
  | { kind: "target-answered"; at: number; by: string; answer: "check" | "start" };

/**
 * What shows beforehand whether the target is green: the gates on this machine, which run there; or
 * the verdict that a CI server has already, where only a server judges.
 */
export function provenBy({ none, gates, server }: CiConfig): "gates" | "server" | undefined {
  if (none) return undefined;
  if (gates.length > 0) return "gates";
  return server === undefined ? undefined : "server";
}

export const needsProof = (ci: CiConfig): boolean => provenBy(ci) !== undefined;

/** What a CI server found red on the target: every failed check, and where the first one is shown. */
export function serverFailure(
  commit: Commit,
  { results }: Extract<ServerWord, { kind: "failed" }>,
): TargetFailure {
  const failed = results.filter(({ passed }) => !passed);
  const [first] = failed;
  const names = failed.map(({ gate }) => gate).join(", ");
  const logFile = first?.logFile ?? "";
  return {
    commit,
    kind: "red",
    why: names === "" ? "the CI server reports a failure" : `failed on the CI server: ${names}`,
    logTail: first?.logTail ?? "",
    logFile: logFile === "" ? undefined : logFile,
  };
}

/** Undefined where the target passed. */
export function failureOf(
  commit: Commit,
  outcome: CheckOutcome,
  gates: CiConfig["gates"],
): TargetFailure | undefined {
  if (outcome.kind === "passed") return undefined;
  if (outcome.kind === "infra") {
    const { message: why, logTail, logFile } = outcome;
    return { commit, kind: "broken", why, logTail, logFile };
  }
  const failed = firstFailure(outcome.results);
  const command = gates.find(({ name }) => name === failed?.gate)?.command ?? failed?.gate ?? "";
  return {
    commit,
    kind: "red",
    why: failed === undefined ? "the gate failed" : `\`${command}\`: ${howItFailed(failed)}`,
    logTail: failed?.logTail ?? "",
    logFile: failed?.logFile,
  };
}

function howItFailed({ reason, exitCode, signal, timedOut }: CiGateResult): string {
  const code = exitCode === null ? undefined : `exit code ${exitCode}`;
  const how = reason ?? (timedOut ? "timed out" : signal === null ? undefined : `signal ${signal}`);
  return [how, code].filter((part) => part !== undefined).join(", ") || "failed";
}
