import { expect, test } from "vitest";
import { projectName, runAggregate, runId } from "../../core/ids.ts";
import { testRun } from "../../../test/support/run.ts";
import { changed, dueAt, looked, newSaving, nudged } from "./saving.ts";

const saving = () =>
  newSaving({ id: runAggregate(projectName("toy"), runId("1.1")), run: testRun(), epoch: 1 });

test("the first change is saved once its burst has settled", () => {
  const one = saving();
  changed(one, "files changed");
  expect(dueAt(one, 1_000)).toBe(1_200);
});

test("files that keep changing are saved every 2 s, a tool call is followed at once", () => {
  const one = saving();
  looked(one, { nowMs: 10_000, tookMs: 30, found: "change" });
  changed(one, "files changed");
  expect(dueAt(one, 10_100)).toBe(12_000);
  nudged(one, "tool call");
  expect(dueAt(one, 10_800)).toBe(10_800);
});

test("checkpoints never take more than a twentieth of the time, on every kind of request", () => {
  const one = saving();
  looked(one, { nowMs: 10_000, tookMs: 500, found: "change" });
  nudged(one, "tool call");
  expect(dueAt(one, 10_001)).toBe(20_000);
});

test("where nothing changes it is looked ever less often, up to once an hour", () => {
  const one = saving();
  const waits = Array.from({ length: 8 }, () => {
    looked(one, { nowMs: 0, tookMs: 10, found: "nothing" });
    return dueAt(one, 0) / 60_000;
  });
  expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  changed(one, "files changed");
  looked(one, { nowMs: 0, tookMs: 10, found: "change" });
  one.why = undefined;
  expect(dueAt(one, 0)).toBe(60_000);
});

test("a failure is tried again, ever more slowly", () => {
  const one = saving();
  const waits = Array.from({ length: 9 }, () => {
    one.why = undefined;
    looked(one, { nowMs: 0, tookMs: 1, found: "failure" });
    return dueAt(one, 0) / 1_000;
  });
  expect(waits).toEqual([4, 8, 16, 32, 64, 128, 256, 300, 300]);
});
