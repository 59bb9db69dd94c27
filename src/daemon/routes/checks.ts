// Routes about CI: the last check of each run, its log, what failed.
import type { Hono } from "hono";
import { firstFailure } from "../../core/check.ts";
import type { Run } from "../../core/run/run.ts";
import { iso } from "../views/agents.ts";
import { projectFor, runFor, type Routes } from "./context.ts";

export function addChecks(app: Hono, routes: Routes): void {
  app.get("/v1/checks", async (context) => {
    const project = await projectFor(routes, context);
    const stored = await routes.store.aggregates({ project: project.name });
    const runs = stored.flatMap(({ state }) => (state.kind === "run" ? [state] : []));
    return context.json(runs.flatMap((run) => checkView(run) ?? []));
  });

  app.get("/v1/checks/:ref", async (context) => {
    const run = await runFor(routes, context);
    return context.json(checkView(run) ?? null);
  });
}

function checkView(run: Run) {
  const running = run.stage.kind === "checking";
  if (run.check === undefined && !running) return undefined;
  const outcome = run.check?.outcome;
  const results = outcome === undefined || outcome.kind === "infra" ? [] : outcome.results;
  const failure = firstFailure(results);
  return {
    issue: run.issue.number,
    run: run.id,
    branch: run.branch,
    head: run.stage.kind === "checking" ? run.stage.head : (run.check?.head ?? null),
    tree: run.check?.tree ?? null,
    state: running ? "running" : (outcome?.kind ?? "unknown"),
    flaky: outcome?.kind === "passed" && outcome.flaky,
    remembered: outcome !== undefined && outcome.kind !== "infra" && outcome.remembered,
    finished_at: run.check === undefined ? null : iso(run.check.at),
    message: outcome?.kind === "infra" ? outcome.message : null,
    failed: failure?.gate ?? null,
    gates: results.map((result) => ({
      gate: result.gate,
      passed: result.passed,
      exit_code: result.exitCode,
      signal: result.signal,
      timed_out: result.timedOut,
      reason: result.reason ?? null,
      duration_ms: result.durationMs,
      log_file: result.logFile,
      log_tail: result.logTail,
    })),
  };
}
