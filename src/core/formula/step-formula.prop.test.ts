// For every formula and every course of its steps: order, needs, budgets, and an end.
import fc from "fast-check";
import { expect, test } from "vitest";
import { FormulaWorld, PROJECT } from "../../../test/support/formula.ts";
import type { Event } from "../event.ts";
import { commitId, gateAggregate, runId } from "../ids.ts";
import type { TaskOutcome } from "../task.ts";
import type { AttemptOutcome } from "./formula-event.ts";
import type { Formula, FormulaStep, StepAction } from "./formula.ts";
import { isSettled, stateOf, stepNamed } from "./run.ts";
import { attemptKey } from "./start-attempt.ts";
import { formulaDeadline } from "./step-formula.ts";

const RUNS = { numRuns: 150 };

const ACTIONS: Record<StepAction["kind"], StepAction> = {
  run: { kind: "run", command: { kind: "shell", text: "true" } },
  builtin: { kind: "builtin", name: "say", with: {} },
  gate: { kind: "gate", gate: { kind: "human", question: "now?" }, escalateMs: 1000 },
  agent: { kind: "agent", role: "action", output: "either", result: "json", model: undefined },
};

/** Steps need only earlier ones, so that there is no circle. */
const formulas: fc.Arbitrary<Formula> = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(20), { maxLength: 3 }),
      retries: fc.nat(2),
      kind: fc.constantFrom("run", "builtin", "gate", "agent" as const),
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
  shape: { needs: number[]; retries: number; kind: StepAction["kind"]; minds: boolean },
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
    action: ACTIONS[shape.kind],
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

/** What happens to the steps under way: one of them ends, well or badly, or time passes. */
const fates = fc.array(
  fc.record({
    which: fc.nat(20),
    what: fc.constantFrom("done", "failed", "late", "twice", "restart", "nonsense", "landed"),
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
  } else {
    const event = answerTo(world, id, fate.what);
    world.tell(event);
    if (fate.what === "twice") world.tell(event);
  }
}

/** How the executor of the step reports its end; only an agent offers nonsense. */
function answerTo(world: FormulaWorld, step: string, what: string): Event {
  const { now: at, run } = world;
  const { attempt } = run.steps[step] as { attempt: number };
  const key = attemptKey(run, step, attempt);
  const kind = stepNamed(run, step)?.action.kind;
  const fails = what === "failed";
  if (kind === "gate") {
    const gate = gateAggregate(PROJECT, `${run.id}.${step}`);
    return { kind: "gate-passed", at, gate, key, met: !fails, reason: "so" };
  }
  if (kind === "agent") {
    const outcomes: Record<string, TaskOutcome> = {
      failed: { kind: "failed", reason: "no" },
      nonsense: { kind: "result", text: "{" },
      landed: { kind: "landed", commit: commitId("c1") },
    };
    const outcome = outcomes[what] ?? { kind: "result", text: "[]" };
    return { kind: "task-finished", at, key, run: runId("action-f.1"), outcome };
  }
  const outcome: AttemptOutcome = fails
    ? { kind: "failed", problem: "no", output: "" }
    : { kind: "done", output: "" };
  return { kind: "step-finished", at, cycle: 1, step, attempt, outcome };
}

/** How many answers of an agent wait for a word then. */
const OFFERS: Record<string, number> = { done: 1, nonsense: 1, twice: 2 };

/** What was asked of others: gates, and tasks of the project. */
const askedFor = ({ tells }: FormulaWorld): string[] =>
  tells.flatMap(({ event }) => {
    if (event.kind === "gate-requested") return [event.key];
    return event.kind === "task-requested" ? [event.task.key] : [];
  });

function violations(world: FormulaWorld): string[] {
  const keys = [...world.wanted.map(({ key }) => key), ...askedFor(world)];
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

test("a step that is done stays done after every later event", () => {
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

test("an agent gets a reply to every answer it offers, and a gate without waiters is withdrawn", () => {
  fc.assert(
    fc.property(formulas, fates, (formula, lived) => {
      const world = new FormulaWorld(formula);
      const offered = () =>
        world.tells.filter(({ event }) => /^task-(accepted|refused)$/.test(event.kind)).length;
      for (const fate of lived) {
        const running = Object.entries(world.run.steps).filter(
          ([, { kind }]) => kind === "running",
        );
        const [id = ""] = running[fate.which % Math.max(1, running.length)] ?? [];
        const isAgent = stepNamed(world.run, id)?.action.kind === "agent";
        const before = offered();
        live(world, fate);
        expect(offered() - before).toBe(isAgent ? (OFFERS[fate.what] ?? 0) : 0);
      }
      const open = Object.entries(world.run.steps).filter(
        ([id, { kind }]) => kind === "running" && stepNamed(world.run, id)?.action.kind === "gate",
      );
      world.tells = [];
      world.tell({ kind: "formula-stopped", at: world.now, by: "ada" });
      const withdrawn = world.tells.filter(({ event }) => event.kind === "gate-withdrawn");
      expect(withdrawn).toHaveLength(world.run.outcome?.kind === "stopped" ? open.length : 0);
      expect(Object.values(world.run.steps).every(isSettled)).toBe(true);
    }),
    RUNS,
  );
});

test("every run ends, also where no answer ever comes", () => {
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
