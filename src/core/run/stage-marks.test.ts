import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import type { Run } from "./run.ts";
import type { Stage } from "./stage.ts";
import { markStage } from "./stage-marks.ts";

const to = (run: Run, kind: "working" | "claiming", at: number): Run =>
  markStage(run, { ...run, stage: { kind } as Stage }, at);

test("a stage is marked when it is entered, and not again while it lasts", () => {
  const begun = markStage(undefined, testRun({ stage: { kind: "claiming" } }), 5);
  const worked = to(begun, "working", 9);
  expect(to(worked, "working", 12)).toHaveProperty("stages", [
    { kind: "claiming", at: 5 },
    { kind: "working", at: 9 },
  ]);
});

test("a run of an older version, which has no marks, is marked from its next stage on", () => {
  const old = testRun({ stage: { kind: "claiming" } });
  expect(to(old, "working", 9).stages).toEqual([{ kind: "working", at: 9 }]);
});

test("a run that never comes to an end keeps its first mark and the newest hundred", () => {
  let run = markStage(undefined, testRun({ stage: { kind: "claiming" } }), 0);
  for (let at = 1; at <= 300; at += 1) run = to(run, at % 2 === 1 ? "working" : "claiming", at);
  expect(run.stages).toHaveLength(100);
  expect(run.stages?.at(0)?.at).toBe(0);
  expect(run.stages?.at(-1)?.at).toBe(300);
  // Marks of 201 stages are gone, and each of them lasted one millisecond.
  expect(run.stages?.at(0)?.folded).toEqual({ working: 101, claiming: 100 });
});
