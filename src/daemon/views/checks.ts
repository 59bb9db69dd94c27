// The last check of a run as people see it.
import type { CheckView, GateView } from "../../api/checks.ts";
import { entryName } from "../../api/queue-names.ts";
import { firstFailure, type CiGateResult } from "../../core/check.ts";
import type { Entry, PastEntry } from "../../core/merge-queue/queue.ts";
import { issueOf, type Run } from "../../core/run/run.ts";
import { iso } from "./agents.ts";

export function checkView(run: Run): CheckView {
  const { check, stage } = run;
  const outcome = check?.outcome;
  const results = outcome === undefined || outcome.kind === "infra" ? [] : outcome.results;
  const isRunning = stage.kind === "checking";
  return {
    issue: issueOf(run) ?? null,
    run: run.id,
    branch: run.branch,
    head: isRunning ? stage.head : (check?.head ?? null),
    tree: check?.tree ?? null,
    state: isRunning ? "running" : (outcome?.kind ?? "none"),
    flaky: outcome?.kind === "passed" && outcome.flaky,
    remembered: outcome !== undefined && outcome.kind !== "infra" && outcome.remembered,
    finished_at: check === undefined ? null : iso(check.at),
    message: outcome?.kind === "infra" ? outcome.message : null,
    failed: firstFailure(results)?.gate ?? null,
    gates: results.map(gateView),
  };
}

/** What the merge queue found with a branch that a person added. */
export function queueCheckView(entry: Entry | PastEntry): CheckView {
  const end = "end" in entry ? entry.end : undefined;
  const outcome =
    end?.kind === "returned" && end.reason.kind === "tests" ? end.reason.outcome : undefined;
  const results = outcome?.results ?? [];
  const untested = end?.kind === "merged" ? "passed" : "none";
  return {
    issue: null,
    run: entryName(entry.id),
    branch: entry.branch,
    head: entry.head,
    tree: null,
    state: outcome === undefined ? untested : "failed",
    flaky: false,
    remembered: false,
    finished_at: hasResult(entry) && "leftAt" in entry ? iso(entry.leftAt) : null,
    message: null,
    failed: firstFailure(results)?.gate ?? null,
    gates: results.map(gateView),
  };
}

/** It landed, or was sent back by its tests; one that waits or was taken out tells nothing. */
export const hasResult = (entry: Entry | PastEntry): boolean =>
  "end" in entry &&
  (entry.end.kind === "merged" ||
    (entry.end.kind === "returned" && entry.end.reason.kind === "tests"));

const gateView = (result: CiGateResult): GateView => ({
  gate: result.gate,
  passed: result.passed,
  exit_code: result.exitCode,
  signal: result.signal,
  timed_out: result.timedOut,
  reason: result.reason ?? null,
  duration_ms: result.durationMs,
  tests: result.tests ?? null,
  log_file: result.logFile,
  log_tail: result.logTail,
});
