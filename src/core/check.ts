// What a check of a commit is and what it can say. A test that could not run is a failed test.
import type { Tree } from "./ids.ts";

/** One command of the project that must pass. */
export type CiGate = {
  name: string;
  command: string;
  timeoutMs: number;
  /** Where it writes what it tested (JUnit XML or TAP), below the checkout. */
  report?: string;
};

/** What a gate's own report says. */
export type TestSummary = {
  total: number;
  failed: number;
  skipped: number;
  /** The names of the first that failed. */
  failures: string[];
};

export type CiGateResult = {
  gate: string;
  passed: boolean;
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  durationMs: number;
  /** Why it is red, where the exit code does not say: `not found`, `no test executed` … */
  reason?: string;
  /** Where the gate wrote a report that could be read. */
  tests?: TestSummary;
  logFile: string;
  /** The end of its output, at most 80 lines and 8,000 bytes. */
  logTail: string;
};

export type CheckOutcome =
  | { kind: "passed"; tree: Tree; results: CiGateResult[]; remembered: boolean; flaky: boolean }
  | { kind: "failed"; tree: Tree; results: CiGateResult[]; remembered: boolean }
  /** The CI infrastructure failed, not the code: set-up, disk, a server out of reach. */
  | { kind: "infra"; tree: Tree; message: string; logTail: string; logFile?: string };

/** What a CI server says of a commit at one moment. */
export type ServerWord =
  | { kind: "passed" }
  | { kind: "failed"; results: CiGateResult[] }
  /** No verdict, and why: nothing ran, checks are under way, or the server cannot be reached. */
  | { kind: "open"; why: string };

/** The gate that made a check red. */
export const firstFailure = (results: CiGateResult[]): CiGateResult | undefined =>
  results.find((result) => !result.passed);
