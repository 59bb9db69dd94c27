import { describe, expect, test } from "vitest";
import {
  add,
  carryOutNext,
  createWorld,
  drain,
  pushForeign,
  runUntil,
  send,
} from "../../../test/support/queue-world.ts";
import type { LandingOutcome } from "./entry.ts";
import { attentionOf, rests } from "./attention.ts";

const held: LandingOutcome = { kind: "held", paths: ["a.txt"], why: "there are local edits" };

test("an empty queue is idle and needs no person; one at work is not idle", () => {
  const world = createWorld({});
  expect(rests(world.queue)).toBe(true);
  add(world, "a");
  expect(rests(world.queue)).toBe(false);
  expect(attentionOf(world.queue)).toEqual([]);
});

describe("held by the user's checkout", () => {
  test("the entry is the user's to free, and nothing else moves", () => {
    const world = createWorld({ step: 1 });
    world.nextLanding.push(held);
    add(world, "a");
    carryOutNext(world, "land");
    expect(rests(world.queue)).toBe(true);
    expect(attentionOf(world.queue)).toEqual([
      { kind: "checkout", branch: "b-a", why: "there are local edits: a.txt" },
    ]);
  });

  test("another entry that can land keeps the queue from resting", () => {
    const world = createWorld({ step: 1 });
    world.nextLanding.push(held);
    add(world, "a");
    carryOutNext(world, "land");
    add(world, "b");
    expect(rests(world.queue)).toBe(false);
  });

  test("a daemon that starts tries what was held at once", () => {
    const world = createWorld({ step: 1 });
    world.nextLanding.push(held);
    add(world, "a");
    carryOutNext(world, "land");
    expect(rests(world.queue)).toBe(true);
    send(world, { kind: "daemon-started", at: world.now });
    expect(rests(world.queue)).toBe(false);
    expect(attentionOf(world.queue)).toEqual([]);
    drain(world);
    expect(world.target).toEqual(["base", "a"]);
  });

  test("the whole checkout in the way is told once, for the whole queue", () => {
    const world = createWorld({ step: 1 });
    world.nextLanding.push({ kind: "held", paths: [], why: "a rebase is in progress" });
    add(world, "a");
    carryOutNext(world, "land");
    expect(rests(world.queue)).toBe(true);
    expect(attentionOf(world.queue)).toMatchObject([
      { branch: undefined, why: "a rebase is in progress" },
    ]);
    send(world, { kind: "daemon-started", at: world.now });
    expect(rests(world.queue)).toBe(false);
  });
});

test("a queue that a person paused is idle, also with entries in it", () => {
  const world = createWorld({});
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "release day" });
  add(world, "a");
  expect(rests(world.queue)).toBe(true);
});

test("a target that moves faster than an entry can be tested is said aloud until something lands", () => {
  const world = createWorld({ step: 1 });
  add(world, "a");
  for (let move = 1; move <= 10; move += 1) {
    expect(attentionOf(world.queue)).toEqual([]);
    runUntil(world, "land");
    pushForeign(world, `other-${move}`);
    carryOutNext(world, "land");
  }
  expect(attentionOf(world.queue)).toMatchObject([
    { kind: "race", branch: undefined, why: expect.stringContaining("moved 10 times since") },
  ]);
  drain(world);
  expect(world.target.at(-1)).toBe("a");
  expect(world.queue.overtaken).toBeUndefined();
});
