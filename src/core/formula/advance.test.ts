import { expect, test } from "vitest";
import { FormulaWorld, formulaOf } from "../../../test/support/formula.ts";
import { emptyOutput } from "../effect.ts";
import { advance, end } from "./advance.ts";

const of = (steps: string): FormulaWorld => new FormulaWorld(formulaOf(`name = "f"\n${steps}`));
const step = (id: string, rest = ""): string => `[[steps]]\nid = "${id}"\nrun = "true"\n${rest}\n`;

test("what needs nothing goes side by side, and what needs it waits", () => {
  const world = of(step("a") + step("b") + step("c", 'needs = ["a", "b"]'));
  expect(world.states()).toEqual({ a: "running", b: "running", c: "waiting" });
  world.ended("a");
  expect(world.states()).toMatchObject({ c: "waiting" });
  world.ended("b");
  expect(world.states()).toMatchObject({ c: "running" });
  world.ended("c");
  expect(world.run.outcome).toMatchObject({ kind: "done" });
});

test("no more than four commands run side by side", () => {
  const world = of(["a", "b", "c", "d", "e", "f"].map((id) => step(id)).join(""));
  expect(Object.values(world.states()).filter((kind) => kind === "running")).toHaveLength(4);
  world.ended("b");
  expect(world.states()).toMatchObject({ e: "running", f: "waiting" });
});

test("what a failure makes impossible is skipped, and the rest goes on", () => {
  const world = of(step("a") + step("b", 'needs = ["a"]') + step("c", 'needs = ["b"]') + step("d"));
  world.ended("a", { problem: "exit 1" });
  expect(world.states()).toEqual({ a: "failed", b: "skipped", c: "skipped", d: "running" });
  world.ended("d");
  expect(world.run.outcome).toMatchObject({ kind: "failed", reason: "a: exit 1" });
});

test("a step that asks about a failure runs after it", () => {
  const world = of(step("a") + step("b", `needs = ["a"]\nwhen = "steps.a.status == 'failed'"`));
  world.ended("a", { problem: "exit 1" });
  expect(world.states()).toEqual({ a: "failed", b: "running" });
});

test("a condition that does not hold skips its step alone", () => {
  const world = of(
    step("a") +
      step("b", `needs = ["a"]\nwhen = "steps.a.output contains 'yes'"`) +
      step("c", 'needs = ["b"]'),
  );
  world.ended("a", "no");
  expect(world.states()).toEqual({ a: "done", b: "skipped", c: "running" });
  expect(world.run.steps["b"]).toMatchObject({
    why: "left out, because its condition is false: steps.a.output contains 'yes'",
  });
  world.ended("c");
  expect(world.run.outcome).toMatchObject({ kind: "done" });
});

test("the asker of a run is told of its end; without one a person is told of a failure", () => {
  const formula = formulaOf(`name = "f"\n${step("a")}`);
  const asked = new FormulaWorld(formula, { asker: "project:toy" });
  asked.ended("a", { problem: "no" });
  expect(asked.tells.map(({ to, event }) => [to, event.kind])).toEqual([
    ["project:toy", "formula-ended"],
  ]);
  const alone = new FormulaWorld(formula);
  alone.ended("a", { problem: "no" });
  const kinds = alone.effects().map(({ kind }) => kind);
  expect(kinds).toEqual(["prepare-formula", "run-command", "notify", "clear-formula"]);
});

test("a run that is over stays as it is", () => {
  const world = of(step("a"));
  const context = { at: 9, output: emptyOutput() };
  const over = end(world.run, "stopped", { ...context, reason: "enough" });
  expect(advance(over, context)).toBe(over);
});
