// Whatever a formula looks like and however its steps go: order, needs, budgets, and an end.
import fc from "fast-check";
import { expect, test } from "vitest";
import { FormulaWorld } from "../../../test/support/formula.ts";
import type { Formula, FormulaStep } from "./formula.ts";
import { isSettled, stateOf } from "./run.ts";
import { formulaDeadline } from "./step-formula.ts";

const RUNS = { numRuns: 150 };

/** Steps need only earlier ones, so that there is no circle. */
const formulas: fc.Arbitrary<Formula> = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(20), { maxLength: 3 }),
      retries: fc.nat(2),
      kind: fc.constantFrom("run", "builtin"),
      minds: fc.boolean(),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((shapes) => ({
    name: "f",
    description: "",
    version: 1,
    model: undefined,
    contextFiles: [],
    vars: [],
    steps: shapes.map((shape, index) => stepOf(shape, index)),
  }));

function stepOf(
  shape: { needs: number[]; retries: number; kind: string; minds: boolean },
  index: number,
): FormulaStep {
  const needs = index === 0 ? [] : [...new Set(shape.needs.map((need) => `s${need % index}`))];
  const [first] = needs;
  const status = { kind: "step", step: first ?? "", field: "status" } as const;
  return {
    id: `s${index}`,
    title: "",
    description: "",
    needs,
    action:
      shape.kind === "run"
        ? { kind: "run", command: { kind: "shell", text: "true" } }
        : { kind: "builtin", name: "say", with: {} },
    when:
      shape.minds && first !== undefined
        ? {
            text: "done",
            means: {
              kind: "compare",
              left: status,
              by: "==",
              right: { kind: "text", value: "done" },
            },
          }
        : undefined,
    timeoutMs: 1000,
    retries: shape.retries,
  };
}

/** What happens to whatever is under way: one of them ends, well or badly, or time passes. */
const fates = fc.array(
  fc.record({
    which: fc.nat(20),
    what: fc.constantFrom("done", "failed", "late", "twice", "restart"),
  }),
  { minLength: 5, maxLength: 200 },
);

function live(world: FormulaWorld, fate: { which: number; what: string }): void {
  const running = Object.entries(world.run.steps).filter(([, { kind }]) => kind === "running");
  const [id] = running[fate.which % Math.max(1, running.length)] ?? [];
  if (fate.what === "restart") world.tell({ kind: "daemon-started", at: world.now });
  else if (fate.what === "late" || id === undefined) {
    const due = formulaDeadline(world.run);
    if (due !== undefined) world.wait(Math.max(0, due - world.now));
  } else if (fate.what === "failed") world.ended(id, { problem: "no" });
  else {
    const attempt = (world.run.steps[id] as { attempt: number }).attempt;
    const outcome = { kind: "done", output: "" } as const;
    const event = {
      kind: "step-finished",
      at: world.now,
      cycle: 1,
      step: id,
      attempt,
      outcome,
    } as const;
    world.tell(event);
    if (fate.what === "twice") world.tell(event);
  }
}

function violations(world: FormulaWorld): string[] {
  const keys = world.wanted.map(({ key }) => key);
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  return [
    ...twice.map((key) => `${key} is wanted twice`),
    ...world.run.formula.steps.flatMap((step) => {
      const state = stateOf(world.run, step.id);
      if (state.kind === "waiting" || state.kind === "skipped") return [];
      const early = step.needs.filter((need) => !isSettled(stateOf(world.run, need)));
      const tooOften = state.attempt > step.retries + 1 ? [`${step.id}: ${state.attempt}`] : [];
      return [...early.map((need) => `${step.id} began before ${need}`), ...tooOften];
    }),
  ];
}

test("nothing begins before what it needs has ended, no attempt is made twice, retries are bounded", () => {
  fc.assert(
    fc.property(formulas, fates, (formula, lived) => {
      const world = new FormulaWorld(formula);
      for (const fate of lived) {
        live(world, fate);
        expect(violations(world)).toEqual([]);
      }
    }),
    RUNS,
  );
});

test("a step that is done stays done, whatever comes after", () => {
  fc.assert(
    fc.property(formulas, fates, (formula, lived) => {
      const world = new FormulaWorld(formula);
      const done = new Map<string, unknown>();
      for (const fate of lived) {
        live(world, fate);
        for (const [id, state] of done) expect(world.run.steps[id]).toEqual(state);
        for (const [id, state] of Object.entries(world.run.steps)) {
          if (state.kind === "done") done.set(id, state);
        }
      }
    }),
    RUNS,
  );
});

test("every run ends, also where nobody ever answers", () => {
  fc.assert(
    fc.property(formulas, fates, (formula, lived) => {
      const world = new FormulaWorld(formula);
      for (const fate of lived) live(world, fate);
      // Three attempts at ten steps, and the waits between them.
      for (let turn = 0; turn < 100 && world.run.outcome === undefined; turn += 1) {
        const due = formulaDeadline(world.run);
        expect(due).toBeDefined();
        world.wait(Math.max(0, due! - world.now));
      }
      expect(world.run.outcome).toBeDefined();
      expect(Object.values(world.run.steps).every(isSettled)).toBe(true);
    }),
    RUNS,
  );
});
