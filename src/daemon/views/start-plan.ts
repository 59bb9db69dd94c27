// What `pawl run` would start now, and why the rest would wait. Decides nothing: it asks the core.
import type { StartPlanView } from "../../api/start-plan.ts";
import { tokensOf, sumUsage, type LifeUsage } from "../../core/usage.ts";
import { agentForIssue, waitText as limitWait } from "../../core/project/accounts.ts";
import { readiness, type Readiness } from "../../core/project/backlog.ts";
import { placesTaken } from "../../core/project/places.ts";
import type { Project } from "../../core/project/project.ts";
import { closedBy, withWaits } from "../../core/project/standstill.ts";
import { choiceLines } from "./chosen-agent.ts";
import { firstStep } from "./ground.ts";
import { termsOf } from "./terms.ts";
import { readinessText } from "./why.ts";

export function startPlan(project: Project, lives: readonly LifeUsage[]): StartPlanView {
  const { config, backlog } = project;
  const parallel = config?.parallel ?? 0;
  const still = closedBy(project);
  let free = still === undefined ? Math.max(0, parallel - placesTaken(project)) : 0;
  const issues = backlog.map((issue) => {
    const { number, title } = issue;
    // First, because its label `in-progress` is this run's own claim.
    const run = project.active.find((active) => active.issue === number)?.run;
    if (run !== undefined) return waits(number, title, `run ${run} works on it`);
    const ready = readiness(withWaits(project, issue));
    if (ready.kind !== "ready") return waits(number, title, waitText(ready));
    if (still !== undefined) return waits(number, title, still);
    if (free === 0) return waits(number, title, `all ${parallel} places are taken (parallel)`);
    const given = config && agentForIssue(project, config, issue);
    if (given?.kind === "wait")
      return waits(number, title, `it waits: ${limitWait(project, given)}`);
    free -= 1;
    const why = ["it is ready, and a place is free", ...choiceLines(project, issue)].join("; ");
    return { issue: number, title, starts: true, why };
  });
  return {
    project: project.name,
    terms: termsOf(project),
    first: firstStep(project),
    issues,
    estimate: estimateOf(lives),
  };
}

const waits = (issue: number, title: string, why: string): StartPlanView["issues"][number] => ({
  issue,
  title,
  starts: false,
  why,
});

const waitText = (ready: Readiness): string => `it ${readinessText(ready)}`;

/** The mean of the runs of the past; null where none told what it used. */
function estimateOf(lives: readonly LifeUsage[]): StartPlanView["estimate"] {
  const runs = sumUsage(lives, "run");
  if (runs.length === 0) return null;
  const usd = runs.reduce((sum, run) => sum + run.costUsd, 0);
  const tokens = runs.reduce((sum, run) => sum + tokensOf(run), 0);
  return {
    runs: runs.length,
    usd_each: Math.round((usd / runs.length) * 100) / 100,
    tokens_each: Math.round(tokens / runs.length),
  };
}
