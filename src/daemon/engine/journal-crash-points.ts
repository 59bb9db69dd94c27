// Crash points of the journal itself: the instant after the transaction in which a step of a formula
// ended or a gate closed, before anything that follows from it is done. They come beside those
// around port calls, which many steps share.
import { noCrash, type CrashPoint } from "../../lib/crash-point.ts";
import type { Formula } from "../../core/formula/formula.ts";
import type { AggregateState } from "../../core/step.ts";
import type { Engine } from "./engine.ts";

export function passStates(engine: Pick<Engine, "onCommitted">, crash: CrashPoint): void {
  if (crash === noCrash) return;
  // The process ends at once or not at all: this does not wait.
  const pass: (name: string) => unknown = crash;
  engine.onCommitted(({ changed }) => {
    for (const { state } of changed) for (const name of pointsOf(state)) pass(name);
  });
}

function pointsOf(state: AggregateState): string[] {
  if (state.kind === "gate") return state.closed === undefined ? [] : [gatePoint(state.spec.kind)];
  if (state.kind !== "formula") return [];
  const { formula, steps } = state;
  return Object.entries(steps).flatMap(([id, { kind }]) =>
    kind === "done" ? [stepPoint(formula.name, id)] : [],
  );
}

const stepPoint = (formula: string, step: string): string => `formula.${formula}.${step}:done`;
export const gatePoint = (kind: string): string => `gate.${kind}:closed`;

/** Those of all steps of a formula, for the coverage. */
export const stepPoints = ({ name, steps }: Pick<Formula, "name" | "steps">): string[] =>
  steps.map(({ id }) => stepPoint(name, id));
