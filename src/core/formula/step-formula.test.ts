import { expect, test } from "vitest";
import { FormulaWorld, formulaOf } from "../../../test/support/formula.ts";
import type { Obligation } from "../effect.ts";
import { emptyOutput } from "../effect.ts";
import { formulaDeadline, stepFormula } from "./step-formula.ts";

const TWO = `name = "f"
[[steps]]
id = "a"
run = "true"
timeout = "1 min"
[[steps]]
id = "b"
needs = ["a"]
builtin = "say"
`;
const world = (): FormulaWorld => new FormulaWorld(formulaOf(TWO));
const MINUTE_MS = 60_000;

test("a fact about nothing makes nothing", () => {
  expect(stepFormula(undefined, { kind: "deadline-passed", at: 1 }, emptyOutput())).toBeUndefined();
});

test("an attempt that does not end in time is cancelled and counts as failed", () => {
  const late = world();
  late.wait(MINUTE_MS);
  expect(late.states()).toMatchObject({ a: "running" });
  late.now = formulaDeadline(late.run)!;
  late.wait(0);
  expect(late.states()).toEqual({ a: "failed", b: "skipped" });
  expect(late.cancelled).toEqual(["formula:toy/f.1#1:a:1"]);
  expect(late.run.outcome?.reason).toBe("a: it did not finish within 1m");
  expect(formulaDeadline(late.run)).toBeUndefined();
});

test("a machine that slept, and a daemon that was away, cost a command none of its time", () => {
  const slept = world();
  const before = formulaDeadline(slept.run)!;
  slept.tell({ kind: "clock-jumped", at: slept.now, gapMs: 5000 });
  expect(formulaDeadline(slept.run)).toBe(before + 5000);
  const away = world();
  away.tell({ kind: "daemon-started", at: away.now + 10 * MINUTE_MS });
  expect(formulaDeadline(away.run)).toBe(before + 10 * MINUTE_MS);
});

test("a person stops a run: steps under way are cancelled, no further step begins", () => {
  const stopped = world();
  stopped.tell({ kind: "formula-stopped", at: stopped.now, by: "ada" });
  expect(stopped.states()).toEqual({ a: "skipped", b: "skipped" });
  expect(stopped.cancelled).toEqual(["formula:toy/f.1#1:a:1"]);
  expect(stopped.run.outcome).toMatchObject({ kind: "stopped", reason: "stopped by ada" });
});

const failing = (obligation: Obligation | undefined) =>
  ({
    kind: "effect-failed",
    at: 5,
    failed: { obligation: obligation!, code: "x", message: "the disk is gone" },
  }) as const;

test("an effect that fails for good fails its attempt, and without a folder nothing can run", () => {
  const command = world();
  command.tell(failing(command.wanted.find(({ effect }) => effect.kind === "run-command")));
  expect(command.run.steps["a"]).toMatchObject({ kind: "failed", problem: "the disk is gone" });
  const place = world();
  place.tell(failing(place.wanted.find(({ effect }) => effect.kind === "prepare-formula")));
  expect(place.run.outcome).toMatchObject({ kind: "failed", reason: "the disk is gone" });
  const cleared = world();
  const clear = { kind: "clear-formula", formula: "f.1", cycle: 1 } as const;
  cleared.tell(failing({ key: "k", lane: "l", effect: clear }));
  expect(cleared.states()).toMatchObject({ a: "running" });
});

test("what belongs to an earlier cycle changes nothing", () => {
  const { run } = world();
  const outcome = { kind: "done", output: "" } as const;
  const old = { at: 5, cycle: 0, step: "a", attempt: 1, outcome };
  expect(stepFormula(run, { kind: "step-finished", ...old }, emptyOutput())).toBe(run);
});
