import { expect, test } from "vitest";
import { add, createWorld, drain, runUntil, send } from "../../../test/support/queue-world.ts";
import { emptyOutput } from "../effect.ts";
import { reconcile } from "./obligations.ts";

test("a step that changes nothing asks for nothing", () => {
  const { queue } = createWorld({});
  const output = emptyOutput();
  reconcile(queue, queue, output);
  expect(output).toEqual(emptyOutput());
});

test("what is under way already is not asked for again, and what is gone is cancelled", () => {
  const world = createWorld({});
  add(world, "a");
  runUntil(world, "check-candidate");
  const output = emptyOutput();
  reconcile(world.queue, { ...world.queue, rate: { landed: 1, blamed: 0 } }, output);
  expect(output).toEqual(emptyOutput());
  reconcile(world.queue, { ...world.queue, stack: [] }, output);
  expect(output.cancelled).toEqual(["queue:p:check:3"]);
  expect(output.effects).toMatchObject([{ effect: { kind: "release-candidates", refs: ["2"] } }]);
});

test("builds and landings wait in their own lanes, each check in one of its own", () => {
  const world = createWorld({ lanes: 2, step: 1 });
  add(world, "a");
  add(world, "b");
  expect(runUntil(world, "build-candidate").lane).toBe("queue:p:build");
  const check = runUntil(world, "check-candidate");
  expect(check.lane).toBe(check.key);
  expect(runUntil(world, "land").lane).toBe("queue:p:land");
});

test("a build is told the issue in its message, and stands on the tip before it", () => {
  const world = createWorld({ step: 1 });
  add(world, "a", { issue: 42, title: "Fix it" });
  const first = runUntil(world, "build-candidate").effect;
  expect(first).toMatchObject({ onto: "c:base", heads: [{ message: "Fix it (#42)" }] });
  add(world, "b");
  runUntil(world, "land");
  const second = runUntil(world, "build-candidate").effect;
  expect(second).toMatchObject({ onto: "c:base+a" });
});

test("a build is let go when the last of its commits has landed, not before", () => {
  const world = createWorld({ step: 2, rules: { bad: (item) => item === "c" } });
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  for (const name of ["a", "b", "c"]) add(world, name);
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  runUntil(world, "land");
  expect(world.released.size).toBe(0);
  drain(world);
  const builds = world.queue.nextRef;
  expect(world.released.size).toBeGreaterThan(0);
  expect(world.released.size).toBeLessThan(builds);
});
