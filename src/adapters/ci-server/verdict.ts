// What a CI server says of a commit at one moment, whichever server it is. The adapters of servers
// make these; server-ci.ts waits for the one that ends the waiting.
import type { CiGateResult } from "../../core/check.ts";
import type { InfraCause } from "../../core/ci-failure.ts";
import type { Commit } from "../../core/ids.ts";

export type Verdict =
  /** The server does not know the commit. */
  | { kind: "missing" }
  | { kind: "pending"; waitsFor: string[] }
  | { kind: "passed"; results: CiGateResult[] }
  /** `run`: names this very execution, so that a repeated one can be told from it. */
  | { kind: "failed"; run: string; results: CiGateResult[]; infra: InfraCause | undefined };

export type Verdicts = {
  /** `isPr`: the commit is the head of a PR; a candidate of the merge queue is on a branch only. */
  verdict(commit: Commit, isPr: boolean): Promise<Verdict>;
  /** Has what failed run again; absent where the server offers no way. */
  restart?: (run: string) => Promise<void>;
};

/** A result of a server as a gate's; where its log is comes as an address. */
export const serverResult = (result: {
  name: string;
  passed: boolean;
  exitCode: number | null;
  durationMs: number;
  url: string;
  logTail: string;
  reason?: string | undefined;
}): CiGateResult => ({
  gate: result.name,
  passed: result.passed,
  exitCode: result.exitCode,
  signal: null,
  timedOut: false,
  durationMs: result.durationMs,
  ...(result.reason === undefined ? {} : { reason: result.reason }),
  logFile: result.url,
  logTail: result.logTail,
});
