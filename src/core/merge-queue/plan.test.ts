import { expect, test } from "vitest";
import {
  add,
  createWorld,
  drain,
  runUntil,
  send,
  standing,
} from "../../../test/support/queue-world.ts";
import { queueRows } from "./view.ts";
import { plan } from "./plan.ts";

test("a new entry of higher priority goes before what is stacked but not under test", () => {
  const world = createWorld({ step: 1 });
  add(world, "a");
  runUntil(world, "check-candidate");
  add(world, "b");
  add(world, "urgent", { priority: 1 });
  drain(world);
  expect(world.target).toEqual(["base", "a", "urgent", "b"]);
});

test("what is under test is not thrown away for a higher priority", () => {
  const world = createWorld({});
  add(world, "a");
  runUntil(world, "check-candidate");
  add(world, "urgent", { priority: 1 });
  drain(world);
  expect(world.checks).toEqual(["a+base", "a+base+urgent"]);
});

test("who comes together is tested together: a check waits for the look at new entries", () => {
  const world = createWorld({ step: 4 });
  for (const name of ["a", "b", "c"]) add(world, name);
  drain(world);
  expect(world.checks).toEqual(["a+b+base+c"]);
});

test("a full batch does not wait for the look at those behind it", () => {
  const world = createWorld({ step: 2 });
  for (let count = 0; count < 100; count += 1) add(world, `w${count}`);
  runUntil(world, "check-candidate");
  expect(world.queue.entries.some((entry) => !entry.surveyed)).toBe(true);
});

test("while all lanes are busy, what comes next is stacked and waits for them", () => {
  const world = createWorld({ step: 2 });
  for (let count = 0; count < 9; count += 1) add(world, `w${count}`);
  runUntil(world, "check-candidate");
  const { stack, building } = world.queue;
  expect(stack.map(({ test: under }) => under !== undefined)).toEqual([false, true]);
  expect(building?.entries).toHaveLength(4);
  drain(world);
  expect(world.checks).toHaveLength(5);
});

test("the bare target is proven once, and never again while it is ours", () => {
  const world = createWorld({ step: 1, rules: { bad: (item) => item.startsWith("bad") } });
  for (const name of ["bad1", "bad2", "good", "bad3"]) add(world, name);
  drain(world);
  expect(world.checks.filter((tree) => tree === "base").length).toBe(1);
  expect(world.checks.filter((tree) => tree === "base+good").length).toBe(1);
  expect(standing(world).filter((line) => line.endsWith("returned")).length).toBe(3);
});

test("a plan is a function of the queue and the time alone", () => {
  const world = createWorld({});
  add(world, "a");
  expect(plan(world.queue, 5)).toEqual(plan(structuredClone(world.queue), 5));
});

test("a queue of five hundred is planned and listed whole", () => {
  const world = createWorld({ lanes: 2 });
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  for (let count = 0; count < 500; count += 1) add(world, `w${count}`);
  expect(queueRows(world.queue, world.now).length).toBe(500);
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  drain(world);
  expect(world.target.length).toBe(501);
});
