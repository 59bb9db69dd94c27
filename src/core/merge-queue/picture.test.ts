import { expect, test } from "vitest";
import { add, createWorld, drain, runUntil } from "../../../test/support/queue-world.ts";
import { queuePicture } from "./picture.ts";

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
