import { expect, test } from "vitest";
import { FormulaWorld, formulaOf } from "../../../test/support/formula.ts";
import { emptyOutput } from "../effect.ts";
import { attemptEnded } from "./attempt.ts";
import { formulaDeadline } from "./step-formula.ts";

const twice = () =>
  new FormulaWorld(formulaOf(`name = "f"\n[[steps]]\nid = "a"\nrun = "true"\nretries = 1`));

test("a failed attempt is tried again after a while, as often as the step allows", () => {
  const world = twice();
  world.ended("a", { problem: "exit 1" });
  expect(world.run.steps["a"]).toMatchObject({ kind: "retrying", attempt: 1, problem: "exit 1" });
  world.wait(1000);
  expect(world.states()).toEqual({ a: "retrying" });
  world.wait(1000);
  expect(world.run.steps["a"]).toMatchObject({ kind: "running", attempt: 2 });
  world.ended("a", { problem: "exit 2" });
  expect(world.run.steps["a"]).toMatchObject({ kind: "failed", attempt: 2, problem: "exit 2" });
  expect(world.run.outcome).toMatchObject({ kind: "failed", reason: "a: exit 2" });
});

test("an earlier attempt that still speaks changes nothing", () => {
  const world = twice();
  world.ended("a", { problem: "exit 1" });
  world.wait(2000);
  const late = { step: "a", attempt: 1, outcome: { kind: "done", output: "late" } } as const;
  expect(attemptEnded(world.run, late, { at: world.now, output: emptyOutput() })).toBe(world.run);
});

test("of a long output the end is kept", () => {
  const world = twice();
  world.ended("a", `${"x".repeat(70_000)}end`);
  const { output } = world.run.steps["a"] as { output: string };
  expect(output.length).toBeLessThan(65_000);
  expect(output.endsWith("end")).toBe(true);
});

test("a retry that finds no room is not due before something ends", () => {
  const step = (id: string): string => `[[steps]]\nid = "${id}"\nrun = "true"\nretries = 1\n`;
  const five = ["a", "b", "c", "d", "e"].map(step).join("");
  const world = new FormulaWorld(formulaOf(`name = "f"\n${five}`));
  world.ended("a", { problem: "no" });
  expect(world.states()).toMatchObject({ a: "retrying", e: "running" });
  world.wait(10_000);
  expect(formulaDeadline(world.run)).toBeGreaterThan(world.now);
  world.ended("b");
  expect(world.states()).toMatchObject({ a: "running" });
});
