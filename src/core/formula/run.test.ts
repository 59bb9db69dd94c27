import { expect, test } from "vitest";
import { FormulaWorld, formulaOf } from "../../../test/support/formula.ts";
import { inputsOf, isSettled, resultOf, stateOf, stepNamed, waitsOnly, withStep } from "./run.ts";

const world = () => new FormulaWorld(formulaOf(`name = "f"\n[[steps]]\nid = "a"\nrun = "true"`));

test("a step has a result only once it has ended", () => {
  const { run } = world();
  expect(resultOf(run, "a")).toBeUndefined();
  const done = { kind: "done", attempt: 1, since: 0, at: 1, output: "x" } as const;
  expect(resultOf(withStep(run, "a", done), "a")).toEqual({ status: "done", output: "x" });
  const skip = { kind: "skipped", at: 1, why: "no", because: "condition" } as const;
  expect(resultOf(withStep(run, "a", skip), "a")).toEqual({ status: "skipped", output: "" });
});

test("an unknown step waits, and is settled by nothing", () => {
  const { run } = world();
  expect(stateOf(run, "z")).toEqual({ kind: "waiting" });
  expect(stepNamed(run, "z")).toBeUndefined();
  expect(isSettled(stateOf(run, "a"))).toBe(false);
});

test("a run is waiting where only gates are open that must be closed from outside", () => {
  const gate = `[[steps]]\nid = "ask"\ngate = "human"\n`;
  const command = `[[steps]]\nid = "a"\nretries = 1\nrun = "true"\n`;
  const both = new FormulaWorld(formulaOf(`name = "f"\n${gate}${command}`));
  expect(waitsOnly(both.run)).toBe(false);
  both.ended("a", { problem: "no" });
  expect(waitsOnly(both.run)).toBe(false);
  both.wait(2000);
  both.ended("a");
  expect(waitsOnly(both.run)).toBe(true);
  const timer = `[[steps]]\nid = "t"\ngate = { type = "timer", timeout = "1 s" }\n`;
  expect(waitsOnly(new FormulaWorld(formulaOf(`name = "f"\n${timer}`)).run)).toBe(false);
});

const CHAIN = `name = "f"
[[steps]]
id = "a"
builtin = "say"
[[steps]]
id = "b"
needs = ["a"]
builtin = "say"
[[steps]]
id = "c"
needs = ["b"]
builtin = "say"
[[steps]]
id = "d"
builtin = "say"
`;

test("a step knows what every step before it came to, and of no other", () => {
  const chain = new FormulaWorld(formulaOf(CHAIN));
  chain.ended("a", "one");
  chain.ended("d", "beside");
  expect(inputsOf(chain.run, "c")).toEqual({ a: "one", b: "" });
});
