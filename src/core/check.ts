// What a check of a commit is and what it can say. A test that could not run is a failed test.
import type { Tree } from "./ids.ts";

/** One command of the project that must pass. */
export type Gate = { name: string; command: string; timeoutMs: number };

export type GateResult = {
  gate: string;
  passed: boolean;
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  durationMs: number;
  /** Why it is red, where the exit code does not say: `not found`, `no test executed` … */
  reason?: string;
  logFile: string;
  /** The end of its output, at most 80 lines and 8,000 bytes. */
  logTail: string;
};

export type CheckOutcome =
  | { kind: "passed"; tree: Tree; results: GateResult[]; remembered: boolean; flaky: boolean }
  | { kind: "failed"; tree: Tree; results: GateResult[]; remembered: boolean }
  /** The machinery failed, not the code: set-up, disk, a server out of reach. */
  | { kind: "infra"; tree: Tree; message: string; logTail: string };

/** The gate that made a check red. */
export const firstFailure = (results: GateResult[]): GateResult | undefined =>
  results.find((result) => !result.passed);
