// The last check of a run as people see it.
import type { CheckView } from "../../api/checks.ts";
import { firstFailure } from "../../core/check.ts";
import type { Run } from "../../core/run/run.ts";
import { issueOf } from "../../core/run/work.ts";
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
    gates: results.map((result) => ({
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
    })),
  };
}
