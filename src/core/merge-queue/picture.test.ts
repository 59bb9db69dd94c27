import { expect, test } from "vitest";
import { add, createWorld, drain, runUntil } from "../../../test/support/queue-world.ts";
import { treeId } from "../ids.ts";
import { queuePicture } from "./picture.ts";
import { record, type QueueRecord } from "./queue.ts";

test("what stands on the target and is under test is shown with since when", () => {
  const world = createWorld({});
  add(world, "a");
  add(world, "b");
  runUntil(world, "check-candidate");
  const { stack } = queuePicture(world.queue);
  expect(stack.map(({ entry }) => entry)).toEqual([1, 2]);
  expect(stack.some(({ testingSince }) => testingSince !== undefined)).toBe(true);
});

test("what landed leaves its proof, the newest first, and how long that usually takes", () => {
  const world = createWorld({});
  add(world, "a");
  drain(world);
  const { proven, stack, typicalQueueMs } = queuePicture(world.queue);
  expect(stack).toEqual([]);
  expect(proven[0]).toMatchObject({ entries: [1], result: "passed", flaky: false });
  expect(typicalQueueMs).toBeGreaterThanOrEqual(0);
});

test("entries that cannot stand on each other name each other", () => {
  const world = createWorld({ rules: { conflict: (a, b) => a === "a" && b === "b" } });
  add(world, "a");
  add(world, "b");
  runUntil(world, "check-candidate");
  expect(queuePicture(world.queue).conflicts).toMatchObject([{ entries: [1, 2] }]);
});

test("gate runs are counted by their day, but not results that were remembered", () => {
  const world = createWorld({});
  const fact: QueueRecord = {
    kind: "checked",
    at: 0,
    entries: [1],
    commit: undefined,
    tree: treeId("t"),
    result: "passed",
    flaky: false,
    remembered: false,
    detail: undefined,
    logFile: undefined,
  };
  const counted = record(record(world.queue, fact), { ...fact, remembered: true });
  expect(record(counted, { ...fact, at: 90_000_000 }).gateRuns).toEqual({
    "1970-01-01": 1,
    "1970-01-02": 1,
  });
});
