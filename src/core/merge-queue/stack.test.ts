import { expect, test } from "vitest";
import { add, createWorld, runUntil, send } from "../../../test/support/queue-world.ts";
import { commitId } from "../ids.ts";
import { cutStack, retarget, withoutEntries } from "./stack.ts";

function stacked() {
  const world = createWorld({ step: 4 });
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  for (const name of ["a", "b", "c"]) add(world, name);
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  runUntil(world, "check-candidate");
  return world.queue;
}

test("cutting gives up the build that stood on what is cut", () => {
  const building = { ref: "9", at: 1, onto: commitId("c:base+a+b+c"), entries: [9] };
  const queue = { ...stacked(), building };
  expect(cutStack(queue, 3)).toBe(queue);
  expect(cutStack(queue, 2)).toMatchObject({ building: undefined, stack: { length: 2 } });
});

test("what stood on an entry that leaves goes with it, what stood below stays", () => {
  const next = withoutEntries(stacked(), [2]);
  expect(next.stack.map((slot) => slot.entry)).toEqual([1]);
  expect(next.entries.map((entry) => entry.id)).toEqual([1, 3]);
});

test("a new target is unproven, and lifts the stop for a red one only", () => {
  const stop = { why: "w", hint: undefined, at: 0 };
  const red = retarget({ ...stacked(), stop: { kind: "red-target", ...stop } }, commitId("n"));
  expect(red).toMatchObject({ stack: [], stop: undefined, target: { proof: "unknown" } });
  const refused = retarget({ ...stacked(), stop: { kind: "rejected", ...stop } }, commitId("n"));
  expect(refused.stop?.kind).toBe("rejected");
});
