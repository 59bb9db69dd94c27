// Runs of formulas as the API tells them: every step with what it came to.
import { stepPlan, summaryOf } from "../../api/formula-plan.ts";
import type { FormulaRow, FormulaRunView, NodeView, StepRunView } from "../../api/formulas.ts";
import { wavesOf } from "../../core/formula/plan.ts";
import { stateOf, waitsOnly, type FormulaRun, type StepState } from "../../core/formula/run.ts";
import { formatProblems } from "../../config/problem.ts";
import type { FormulaStep } from "../../core/formula/formula.ts";
import { attemptKey } from "../../core/formula/start-attempt.ts";
import { sessionId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { FoundFormula } from "../formulas/library.ts";
import { iso } from "./agents.ts";

export function formulaRow({ name, from, file, parsed }: FoundFormula): FormulaRow {
  if (parsed.kind === "invalid") {
    const problem = formatProblems(parsed.problems);
    return { name, summary: "", steps: 0, from, file, part: null, problem };
  }
  const part = parsed.kind === "part" ? parsed.part.kind : null;
  const description = parsed.kind === "part" ? parsed.part.description : parsed.formula.description;
  const steps = parsed.kind === "part" ? parsed.part.steps : parsed.formula.steps.length;
  const summary = summaryOf(description);
  return { name, summary, steps, from, file, part, problem: null };
}

/** `workers`: the runs of the agents that its steps have, among others. */
export function formulaRunView(run: FormulaRun, workers: readonly Run[]): FormulaRunView {
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
    steps: formula.steps.map((step) => {
      const state = stateOf(run, step.id);
      return { ...stepView(step, state), ...workerView(workerOf(run, step.id, workers)) };
    }),
    waves: wavesOf(formula.steps).map((wave) => wave.map((step) => step.id)),
  };
}

/** Under which its steps asked for the work of agents, as far as any did. */
export const attemptKeys = (run: FormulaRun): string[] =>
  run.formula.steps.flatMap(({ id }) => {
    const state = stateOf(run, id);
    return "attempt" in state ? [attemptKey(run, id, state.attempt)] : [];
  });

function workerOf(run: FormulaRun, id: string, workers: readonly Run[]): Run | undefined {
  const state = stateOf(run, id);
  if (!("attempt" in state)) return undefined;
  const key = attemptKey(run, id, state.attempt);
  return workers.findLast(({ work }) => work.kind === "task" && work.task.key === key);
}

type WorkerView = Pick<StepRunView, "run" | "session" | "node">;

function workerView(worker: Run | undefined): WorkerView {
  if (worker === undefined) return { run: null, session: null, node: null };
  const { id, identity, project, session } = worker;
  return {
    run: id,
    session: session === undefined ? null : sessionId(project, identity, session.epoch),
    node: nodeView(worker),
  };
}

const PUBLISHED: readonly string[] = ["publishing", "checking", "reviewing", "queued", "judging"];

/** Each of them includes the one before. */
function nodeView({ stage, outcome, check, head }: Run): NodeView {
  const merged = stage.kind === "landed" || outcome?.kind === "landed";
  const passed = check?.outcome.kind === "passed" && check.head === head;
  const validated = merged || passed || stage.kind === "queued";
  return { impl_complete: validated || PUBLISHED.includes(stage.kind), validated, merged };
}

function stepView(step: FormulaStep, state: StepState): Omit<StepRunView, keyof WorkerView> {
  return {
    ...stepPlan(step),
    status: state.kind,
    attempt: "attempt" in state ? state.attempt : 0,
    since: "since" in state ? iso(state.since) : null,
    ended_at: endOf(state),
    output: "output" in state ? state.output : null,
    problem: "problem" in state ? state.problem : state.kind === "skipped" ? state.why : null,
    gate: state.kind === "running" ? gateName(state.gate) : null,
  };
}

/** As it is typed. */
const gateName = (gate: string | undefined): string | null =>
  gate === undefined ? null : gate.slice(gate.indexOf("/") + 1);

const endOf = (state: StepState): string | null =>
  state.kind === "done" || state.kind === "failed" || state.kind === "skipped"
    ? iso(state.at)
    : null;
