// One attempt at a step: what must be done for it, when it is given up, and how it is called back.
import type { Context } from "../context.ts";
import { formulaAggregate } from "../ids.ts";
import type { FormulaStep } from "./formula.ts";
import { stateOf, withStep, type FormulaRun } from "./run.ts";

/** Whoever carries an attempt out keeps its time; this is for the case that nobody does. */
const GRACE_MS = 30_000;

export function startAttempt(
  run: FormulaRun,
  step: FormulaStep,
  context: Context & { attempt: number },
): FormulaRun {
  const { at, output, attempt } = context;
  const { action } = step;
  const lane = `${formulaAggregate(run.project, run.id)}#${run.cycle}:${step.id}`;
  const key = attemptKey(run, step.id, attempt);
  const about = {
    formula: run.id,
    cycle: run.cycle,
    step: step.id,
    attempt,
    timeoutMs: step.timeoutMs,
  };
  const running = {
    kind: "running",
    attempt,
    since: at,
    deadline: deadlineFrom(step, at),
  } as const;
  switch (action.kind) {
    case "run": {
      const { command } = action;
      output.effects.push({
        key,
        lane,
        effect: { kind: "run-command", ...about, command, vars: run.vars },
      });
      return withStep(run, step.id, running);
    }
    case "builtin": {
      const { name, with: inputs } = action;
      output.effects.push({
        key,
        lane,
        effect: { kind: "run-builtin", ...about, name, with: inputs },
      });
      return withStep(run, step.id, running);
    }
    case "gate":
    case "agent":
      return withStep(run, step.id, running);
  }
}

export const deadlineFrom = (step: FormulaStep, at: number): number =>
  at + step.timeoutMs + GRACE_MS;

export const attemptKey = (run: FormulaRun, step: string, ...[attempt]: [number]): string =>
  `${formulaAggregate(run.project, run.id)}#${run.cycle}:${step}:${attempt}`;

/** Nobody waits for it any more: it is ended where it is under way. */
export function callBack(run: FormulaRun, id: string, { output }: Context): void {
  const state = stateOf(run, id);
  if (state.kind !== "running") return;
  output.cancelled.push(attemptKey(run, id, state.attempt));
}
