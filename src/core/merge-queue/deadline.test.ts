import { expect, test } from "vitest";
import { createWorld, queued } from "../../../test/support/queue-world.ts";
import { clockJumped, deadlinePassed, queueDeadline } from "./deadline.ts";
import type { Queue } from "./queue.ts";

const waiting = (more: Partial<Queue> = {}): Queue => ({
  ...createWorld({}).queue,
  entries: [queued("a", { notBefore: 50 }), queued("b", { id: 2 })],
  trouble: { count: 1, message: "m", until: 40 },
  surveyAt: 60,
  ...more,
});

test("the next deadline is the soonest of all", () => {
  expect(queueDeadline(waiting())).toBe(40);
  expect(queueDeadline(createWorld({}).queue)).toBeUndefined();
});

test("a queue that stands still on purpose has none, but a red target is watched", () => {
  expect(queueDeadline(waiting({ paused: { by: "op", why: "w", at: 0 } }))).toBeUndefined();
  const stop = { why: "w", hint: undefined, at: 0 };
  expect(queueDeadline(waiting({ stop: { kind: "rejected", ...stop } }))).toBeUndefined();
  expect(queueDeadline(waiting({ stop: { kind: "red-target", ...stop } }))).toBe(40);
});

test("a deadline that has passed is not reported again", () => {
  const later = deadlinePassed(waiting(), 50);
  expect(queueDeadline(later)).toBe(60);
  expect(later.entries[0]?.notBefore).toBeUndefined();
  expect(queueDeadline(deadlinePassed(later, 60))).toBeUndefined();
});

test("where nothing is due, nothing changes", () => {
  const queue = waiting();
  expect(deadlinePassed(queue, 10)).toBe(queue);
});

test("a jump of the clock moves every deadline", () => {
  const queue = clockJumped(waiting(), 1_000);
  expect(queueDeadline(queue)).toBe(1_040);
  expect(queue.entries[0]?.notBefore).toBe(1_050);
  expect(queue.surveyAt).toBe(1_060);
  expect(clockJumped(waiting({ surveyAt: 0 }), 1_000).surveyAt).toBe(0);
});
