// Budgets and what is spent of them: those of today, and those of the runs under way.
import type { BudgetView } from "../../api/costs.ts";
import { dayOf, NOTHING, overspent, type Allowance, type Spent } from "../../core/budget.ts";
import type { Project } from "../../core/project/project.ts";
import { isActive, type Run } from "../../core/run/run.ts";
import type { AggregateState } from "../../core/step.ts";

export function budgetViews(states: readonly AggregateState[], now: number): BudgetView[] {
  return states.flatMap((state) => {
    if (state.kind === "project") return ofProject(state, now);
    return state.kind === "run" && isActive(state) ? ofRun(state) : [];
  });
}

function ofProject({ name, config, spending }: Project, now: number): BudgetView[] {
  const today = spending?.day === dayOf(now) ? spending : undefined;
  const { day, roles } = config?.budget ?? {};
  const dev = today?.roles["dev"];
  const from = today?.from;
  return [
    ...view({ project: name, what: "day", allowance: day, spent: today?.total, from: from?.total }),
    ...view({
      project: name,
      what: "role dev",
      allowance: roles?.dev,
      spent: dev,
      from: from?.dev,
    }),
  ];
}

function ofRun({ project, id, config, spending }: Run): BudgetView[] {
  const { total: spent, from } = spending ?? {};
  return view({ project, what: `run ${id}`, allowance: config.budget?.run, spent, from });
}

function view(budget: {
  project: string;
  what: string;
  allowance: Allowance | undefined;
  spent: Spent | undefined;
  from?: Spent | undefined;
}): BudgetView[] {
  const { project, what, allowance, spent = NOTHING, from = NOTHING } = budget;
  if (allowance === undefined) return [];
  const { tokens, usd } = allowance;
  return [
    {
      project,
      what,
      tokens: spent.tokens,
      tokens_max: tokens === undefined ? null : from.tokens + tokens,
      usd: cents(spent.usd),
      estimated_usd: cents(spent.estimatedUsd ?? 0),
      usd_max: usd === undefined ? null : cents(from.usd + usd),
      spent: overspent(allowance, spent, from) !== undefined,
    },
  ];
}

const cents = (usd: number): number => Math.round(usd * 1e6) / 1e6;
