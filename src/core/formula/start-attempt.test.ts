import { expect, test } from "vitest";
import { FormulaWorld, formulaOf } from "../../../test/support/formula.ts";
import { emptyOutput } from "../effect.ts";
import { attemptKey, cancelAttempt, deadlineFrom, startAttempt } from "./start-attempt.ts";

const world = new FormulaWorld(
  formulaOf(
    `name = "f"\n[vars]\nx = "1"\n[[steps]]\nid = "a"\nrun = "true"\ntimeout = "1 min"\n[[steps]]\nid = "b"\nneeds = ["a"]\nbuiltin = "say"`,
  ),
);

test("an attempt has a key of its own, a time limit, and the variables of its run", () => {
  const wanted = world.wanted.find(({ effect }) => effect.kind === "run-command");
  expect(wanted).toEqual({
    key: "formula:toy/f.1#1:a:1",
    lane: "formula:toy/f.1#1:a",
    effect: {
      kind: "run-command",
      formula: "f.1",
      cycle: 1,
      step: "a",
      attempt: 1,
      command: { kind: "shell", text: "true" },
      vars: { x: "1" },
      timeoutMs: 60_000,
    },
  });
  expect(attemptKey(world.run, "a", 1)).toBe(wanted?.key);
});

test("an attempt that is no longer needed is cancelled, if it is under way", () => {
  const output = emptyOutput();
  cancelAttempt(world.run, "a", { at: 0, output });
  cancelAttempt(world.run, "b", { at: 0, output });
  expect(output.cancelled).toEqual(["formula:toy/f.1#1:a:1"]);
});

test("the core waits a little longer than the time limit of the step", () => {
  const step = world.run.formula.steps[0]!;
  expect(deadlineFrom(step, 0)).toBeGreaterThan(60_000);
  const output = emptyOutput();
  const next = startAttempt(world.run, step, { at: 7, output, attempt: 2 });
  expect(next.steps["a"]).toMatchObject({ kind: "running", attempt: 2, since: 7 });
});
