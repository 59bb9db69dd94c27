// Advances a run of a formula: steps that can begin begin, steps that no longer can are skipped,
// and the run ends when every step has ended. Steps that do not depend on each other run side by
// side.
import type { Context } from "../context.ts";
import { formulaAggregate } from "../ids.ts";
import { formulaFailed } from "../words/formula.ts";
import { asksStatusOf, holds } from "./condition.ts";
import type { FormulaStep } from "./formula.ts";
import { isSettled, resultOf, stateOf, stepNamed, withStep } from "./run.ts";
import type { FormulaRun, StepState } from "./run.ts";
import { startAttempt } from "./start-attempt.ts";

/** Gates only wait, and take no place. */
const SIDE_BY_SIDE_MAX = 4;

export function advance(run: FormulaRun, context: Context): FormulaRun {
  if (run.outcome !== undefined) return run;
  let next = run;
  for (let before: FormulaRun | undefined; before !== next;) {
    before = next;
    for (const step of run.formula.steps) next = consider(next, step, context);
  }
  return finish(next, context);
}

function consider(run: FormulaRun, step: FormulaStep, context: Context): FormulaRun {
  const state = stateOf(run, step.id);
  if (state.kind === "retrying") {
    if (state.at > context.at || !hasRoom(run, step)) return run;
    return startAttempt(run, step, { ...context, attempt: state.attempt + 1 });
  }
  if (state.kind !== "waiting") return run;
  if (!step.needs.every((need) => isSettled(stateOf(run, need)))) return run;
  const skip = skipped(run, step, context.at);
  if (skip !== undefined) return withStep(run, step.id, skip);
  if (!hasRoom(run, step)) return run;
  return startAttempt(run, step, { ...context, attempt: 1 });
}

/** Why a step whose needs have all ended is not begun. */
function skipped(run: FormulaRun, step: FormulaStep, at: number): StepState | undefined {
  const asked = step.when === undefined ? [] : asksStatusOf(step.when);
  const lost = step.needs.find((need) => isLost(stateOf(run, need)) && !asked.includes(need));
  if (lost !== undefined) {
    return { kind: "skipped", at, because: "failure", why: `${lost} did not succeed` };
  }
  if (step.when === undefined) return undefined;
  const scope = { vars: run.vars, step: (id: string) => resultOf(run, id) };
  if (holds(step.when.means, scope)) return undefined;
  const why = `left out, because its condition is false: ${step.when.text}`;
  return { kind: "skipped", at, because: "condition", why };
}

const isLost = (state: StepState): boolean =>
  state.kind === "failed" || (state.kind === "skipped" && state.because !== "condition");

/** Commands, builtins and agents take a place each; commands need their folder too. */
export function hasRoom(run: FormulaRun, step: FormulaStep): boolean {
  if (step.action.kind === "run" && run.place !== "ready") return false;
  if (step.action.kind === "gate") return true;
  const running = Object.entries(run.steps).filter(
    ([id, { kind }]) => kind === "running" && stepNamed(run, id)?.action.kind !== "gate",
  );
  return running.length < SIDE_BY_SIDE_MAX;
}

function finish(run: FormulaRun, context: Context): FormulaRun {
  const states = Object.entries(run.steps);
  if (!states.every(([, state]) => isSettled(state))) return run;
  const failed = states.flatMap(([id, state]) =>
    state.kind === "failed" ? [`${id}: ${state.problem}`] : [],
  );
  return end(run, failed.length === 0 ? "done" : "failed", { ...context, reason: failed[0] });
}

/** The last word about a run: its asker is told, its folder goes, a person hears of a failure. */
export function end(
  run: FormulaRun,
  kind: "done" | "failed" | "stopped",
  context: Context & { reason: string | undefined },
): FormulaRun {
  const { at, output, reason } = context;
  const { project, id, cycle, asker } = run;
  const outcome = { kind, at, reason };
  const aggregate = formulaAggregate(project, id);
  if (asker !== undefined) {
    output.tells.push({
      to: asker,
      event: { kind: "formula-ended", at, formula: id, cycle, outcome },
    });
  } else if (kind === "failed") {
    output.effects.push({
      key: `${aggregate}#${cycle}:notify`,
      lane: `${aggregate}:notify`,
      effect: { kind: "notify", severity: "warning", ...formulaFailed(id, reason ?? "") },
    });
  }
  if (run.place !== "unneeded") {
    output.effects.push({
      key: `${aggregate}#${cycle}:clear`,
      lane: `${aggregate}#${cycle}:place`,
      effect: { kind: "clear-formula", formula: id, cycle },
    });
  }
  return { ...run, outcome };
}
