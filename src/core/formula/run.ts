// One run of a formula: what every step of it has come to. Durable per step, so that a crash
// resumes at the step.
//
//   waiting ─> running ─> done
//      │         │  ▲
//      │         ▼  │ (within its retries)
//      │       retrying ─> failed
//      └─> skipped (its condition is false, or something it needs failed)
import type { GateKind } from "../gate/spec.ts";
import type { AggregateId, ProjectName, RunId } from "../ids.ts";
import type { Formula, FormulaStep } from "./formula.ts";
import { ancestorsOf } from "./plan.ts";

export type StepState =
  | { kind: "waiting" }
  | {
      kind: "running";
      attempt: number;
      since: number;
      /** Then the attempt counts as failed, even if it is still under way. */
      deadline: number;
      /** The gate that it waits for, and the run of its agent. */
      gate?: AggregateId;
      run?: RunId;
    }
  | { kind: "retrying"; attempt: number; at: number; problem: string }
  | { kind: "done"; attempt: number; since: number; at: number; output: string; run?: RunId }
  | { kind: "failed"; attempt: number; at: number; problem: string; output: string; run?: RunId }
  | { kind: "skipped"; at: number; why: string; because: "condition" | "failure" | "stopped" };

export type FormulaOutcome = {
  kind: "done" | "failed" | "stopped";
  at: number;
  reason: string | undefined;
};

export type FormulaRun = {
  kind: "formula";
  project: ProjectName;
  /** `{name}.{number}`, or a name of its own for one that repeats. */
  id: string;
  /** How often a repeating one has begun. */
  cycle: number;
  /** Whose request this was: the same request again is the same run. */
  key: string;
  /** With its variables filled in. */
  formula: Formula;
  vars: Record<string, string>;
  /** Where the formula was found, for people. */
  source: string;
  by: string;
  /** Told when it has ended. */
  asker: AggregateId | undefined;
  requestedAt: number;
  /** What its agents are told besides the formula: Markdown, texts of others quoted in it. */
  context?: string;
  /** Whether the folder for its commands is there; one without commands needs none. */
  place: "unneeded" | "wanted" | "ready";
  steps: Record<string, StepState>;
  outcome: FormulaOutcome | undefined;
};

export const stateOf = (run: FormulaRun, id: string): StepState =>
  run.steps[id] ?? { kind: "waiting" };

export const isSettled = ({ kind }: StepState): boolean =>
  kind === "done" || kind === "failed" || kind === "skipped";

export const withStep = (run: FormulaRun, id: string, state: StepState): FormulaRun => ({
  ...run,
  steps: { ...run.steps, [id]: state },
});

export function stepNamed(run: FormulaRun, id: string): FormulaStep | undefined {
  return run.formula.steps.find((step) => step.id === id);
}

/** What conditions, commands and agents may read of a step that has ended. */
export function resultOf(
  run: FormulaRun,
  id: string,
): { status: string; output: string } | undefined {
  const state = run.steps[id];
  if (state === undefined || !isSettled(state)) return undefined;
  const output = state.kind === "skipped" || !("output" in state) ? "" : state.output;
  return { status: state.kind, output };
}

/** What every step before this one came to, by its id. */
export const inputsOf = (run: FormulaRun, step: string): Record<string, string> =>
  Object.fromEntries(
    [...ancestorsOf(run.formula.steps, step)].map((id) => [id, resultOf(run, id)?.output ?? ""]),
  );

/** These close without a person: time passes, or Pawl tries. */
const BY_THEMSELVES: readonly GateKind[] = ["timer", "command"];

/** No step is being worked on: the run waits for something outside. */
export function waitsOnly(run: FormulaRun): boolean {
  const states = Object.entries(run.steps);
  if (states.some(([, { kind }]) => kind === "retrying")) return false;
  const running = states.filter(([, { kind }]) => kind === "running");
  const waits = (id: string): boolean => {
    const action = stepNamed(run, id)?.action;
    return action?.kind === "gate" && !BY_THEMSELVES.includes(action.gate.kind);
  };
  return running.length > 0 && running.every(([id]) => waits(id));
}
