// One attempt at a step: what must be done for it, when it is given up, and how it is cancelled.
import type { Context } from "../context.ts";
import { formulaAggregate, gateAggregate, projectAggregate } from "../ids.ts";
import { briefOf } from "../words/formula-brief.ts";
import type { FormulaStep, StepAction } from "./formula.ts";
import { stateOf, stepNamed, withStep, type FormulaRun } from "./run.ts";

/**
 * The executor of an attempt enforces the time limit; this is for an executor that is gone. A
 * command may have succeeded although its outcome cannot be recorded yet: it is given up only after
 * every try to do so, so that it never runs to success twice. An agent may have to wait for a
 * place, and a person's answer may take a day.
 */
const GRACE_MS: Record<StepAction["kind"], number> = {
  run: 3 * 60 * 60_000,
  builtin: 30_000,
  gate: 30_000,
  agent: 25 * 60 * 60_000,
};

type Attempt = Context & { attempt: number; key: string };
type ActionOf<K extends StepAction["kind"]> = Extract<StepAction, { kind: K }>;

export function startAttempt(
  run: FormulaRun,
  step: FormulaStep,
  context: Context & { attempt: number },
): FormulaRun {
  const { at, attempt } = context;
  const { action } = step;
  const own = { ...context, key: attemptKey(run, step.id, attempt) };
  const running = {
    kind: "running",
    attempt,
    since: at,
    deadline: deadlineFrom(step, at),
  } as const;
  switch (action.kind) {
    case "run":
    case "builtin":
      carryOut(run, { ...step, action }, own);
      return withStep(run, step.id, running);
    case "gate": {
      const gate = gateAggregate(run.project, gateId(run, step.id));
      openGate(run, { ...step, action }, own);
      return withStep(run, step.id, { ...running, gate });
    }
    case "agent":
      askAgent(run, { ...step, action }, own);
      return withStep(run, step.id, running);
  }
}

function carryOut(
  run: FormulaRun,
  step: FormulaStep & { action: ActionOf<"run" | "builtin"> },
  { attempt, key, output }: Attempt,
): void {
  const { action, id, timeoutMs } = step;
  const lane = `${formulaAggregate(run.project, run.id)}#${run.cycle}:${id}`;
  const about = { formula: run.id, cycle: run.cycle, step: id, attempt, timeoutMs };
  const effect =
    action.kind === "run"
      ? ({ kind: "run-command", ...about, command: action.command, vars: run.vars } as const)
      : ({ kind: "run-builtin", ...about, name: action.name, with: action.with } as const);
  output.effects.push({ key, lane, effect });
}

/** Under the same id in every attempt and cycle: there is one at a time. */
const gateId = (run: FormulaRun, step: string): string => `${run.id}.${step}`;

function openGate(
  run: FormulaRun,
  step: FormulaStep & { action: ActionOf<"gate"> },
  { at, key, output }: Attempt,
): void {
  const { project } = run;
  const { gate: spec, escalateMs } = step.action;
  const id = gateId(run, step.id);
  const formula = formulaAggregate(project, run.id);
  const waiters = [{ kind: "step", formula, key } as const];
  const about = { project, id, key, spec, title: step.title, by: run.by, waiters, escalateMs };
  output.tells.push({
    to: gateAggregate(project, id),
    event: { kind: "gate-requested", at, ...about },
  });
}

function askAgent(
  run: FormulaRun,
  step: FormulaStep & { action: ActionOf<"agent"> },
  { at, key, output }: Attempt,
): void {
  const { role, output: wanted, model = run.formula.model, files } = step.action;
  output.tells.push({
    to: projectAggregate(run.project),
    event: {
      kind: "task-requested",
      at,
      task: {
        by: formulaAggregate(run.project, run.id),
        key,
        role,
        name: workerName(run, step.id),
        title: `${run.formula.name}: ${step.title}`,
        node: step.id,
        brief: briefOf(run, step),
        output: wanted,
        at: { kind: "target" },
        ...(model === undefined ? {} : { model }),
        ...(files === undefined ? {} : { files }),
        limits: { lifeMs: step.timeoutMs },
      },
    },
  });
}

const NAME_MAX = 60;

/** The same worker for the same step of the same formula, in every run. */
export const workerName = (run: FormulaRun, step: string): string =>
  `${run.formula.name}-${step}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, NAME_MAX)
    .replaceAll(/^-+|-+$/g, "");

export const deadlineFrom = ({ action, timeoutMs }: FormulaStep, at: number): number =>
  at + timeoutMs + GRACE_MS[action.kind];

export const attemptKey = (run: FormulaRun, step: string, attempt: number): string =>
  `${formulaAggregate(run.project, run.id)}#${run.cycle}:${step}:${attempt}`;

/** The step that this attempt is under way for. */
export const attemptOf = (
  run: FormulaRun,
  key: string,
): { step: string; attempt: number } | undefined =>
  Object.entries(run.steps).flatMap(([step, state]) =>
    state.kind === "running" && attemptKey(run, step, state.attempt) === key
      ? [{ step, attempt: state.attempt }]
      : [],
  )[0];

/** The attempt is no longer needed: it is ended if it is under way. */
export function cancelAttempt(run: FormulaRun, id: string, { at, output }: Context): void {
  const state = stateOf(run, id);
  if (state.kind !== "running") return;
  const key = attemptKey(run, id, state.attempt);
  const why = `step ${id} of ${run.id} no longer waits`;
  if (state.gate !== undefined) {
    output.tells.push({ to: state.gate, event: { kind: "gate-withdrawn", at, key, why } });
  } else if (stepNamed(run, id)?.action.kind === "agent") {
    const to = projectAggregate(run.project);
    output.tells.push({ to, event: { kind: "task-withdrawn", at, key, why } });
  } else output.cancelled.push(key);
}
