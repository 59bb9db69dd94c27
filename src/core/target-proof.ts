// What is known of the bare target: whether the project's gate passes there, and if not, why. The
// merge queue proves it, and the project starts no agent on a target that fails.
import { firstFailure, type CheckOutcome, type GateResult } from "./check.ts";
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

/** A CI server checks what is pushed to it: only gates on this machine can be asked beforehand. */
export const needsProof = ({ none, gates }: CiConfig): boolean => !none && gates.length > 0;

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

function howItFailed({ reason, exitCode, signal, timedOut }: GateResult): string {
  const code = exitCode === null ? undefined : `exit code ${exitCode}`;
  const how = reason ?? (timedOut ? "timed out" : signal === null ? undefined : `signal ${signal}`);
  return [how, code].filter((part) => part !== undefined).join(", ") || "failed";
}
