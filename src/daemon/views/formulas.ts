// Runs of formulas as the API tells them: every step with what it came to.
import { stepPlan } from "../../api/formula-plan.ts";
import type { FormulaRow, FormulaRunView, StepRunView } from "../../api/formulas.ts";
import { wavesOf } from "../../core/formula/plan.ts";
import { stateOf, waitsOnly, type FormulaRun, type StepState } from "../../core/formula/run.ts";
import { formatProblems } from "../../config/problem.ts";
import type { FormulaStep } from "../../core/formula/formula.ts";
import type { FoundFormula } from "../formulas/library.ts";
import { iso } from "./agents.ts";

export function formulaRow({ name, from, file, parsed }: FoundFormula): FormulaRow {
  if (parsed.kind === "invalid") {
    const problem = formatProblems(parsed.problems);
    return { name, summary: "", steps: 0, from, file, problem };
  }
  const { description, steps } = parsed.formula;
  const summary = description.trim().split("\n")[0] ?? "";
  return { name, summary, steps: steps.length, from, file, problem: null };
}

export function formulaRunView(run: FormulaRun): FormulaRunView {
  const { id, formula, project, source, by, cycle, vars, outcome } = run;
  return {
    id,
    formula: formula.name,
    project,
    source,
    state: outcome?.kind ?? (waitsOnly(run) ? "waiting" : "running"),
    reason: outcome?.reason ?? null,
    by,
    cycle,
    requested_at: iso(run.requestedAt),
    ended_at: outcome === undefined ? null : iso(outcome.at),
    vars,
    steps: formula.steps.map((step) => stepView(step, stateOf(run, step.id))),
    waves: wavesOf(formula.steps).map((wave) => wave.map((step) => step.id)),
  };
}

function stepView(step: FormulaStep, state: StepState): StepRunView {
  return {
    ...stepPlan(step),
    status: state.kind,
    attempt: "attempt" in state ? state.attempt : 0,
    since: "since" in state ? iso(state.since) : null,
    ended_at: endOf(state),
    output: "output" in state ? state.output : null,
    problem: "problem" in state ? state.problem : state.kind === "skipped" ? state.why : null,
    gate: state.kind === "running" ? (state.gate ?? null) : null,
    run: "run" in state ? (state.run ?? null) : null,
    session: null,
    node: null,
  };
}

const endOf = (state: StepState): string | null =>
  state.kind === "done" || state.kind === "failed" || state.kind === "skipped"
    ? iso(state.at)
    : null;
