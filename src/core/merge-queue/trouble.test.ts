import { describe, expect, test } from "vitest";
import {
  add,
  carryOutNext,
  createWorld,
  drain,
  send,
  standing,
} from "../../../test/support/queue-world.ts";
import type { EffectKind } from "../effect.ts";

describe("machinery that fails", () => {
  test("is tried again after a while, and nobody is blamed", () => {
    const world = createWorld({});
    world.nextCheck.push("infra");
    add(world, "a");
    drain(world);
    expect(world.target).toEqual(["base", "a"]);
    expect(world.checks.length).toBe(2);
  });

  test("stops the queue when the budget is used up, says why, and resumes", () => {
    const world = createWorld({});
    world.nextCheck.push("infra", "infra", "infra", "infra", "infra");
    add(world, "a");
    drain(world);
    expect(world.queue.stop).toMatchObject({ kind: "trouble" });
    expect(world.notices.join()).toContain("the disk is full");
    expect(standing(world)).toEqual(["a:queued"]);
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    drain(world);
    expect(world.target).toEqual(["base", "a"]);
  });

  test.each<EffectKind>(["survey-queue", "build-candidate", "check-candidate", "land"])(
    "%s that failed for good is asked for again",
    (kind) => {
      const world = createWorld({});
      world.failNext.add(kind);
      add(world, "a");
      drain(world);
      expect(world.target).toEqual(["base", "a"]);
      expect(world.history.length).toBe(2);
    },
  );

  test("a check of the bare target that failed is asked for again before anyone is blamed", () => {
    const world = createWorld({ rules: { bad: (item) => item === "a" } });
    world.failNext.add("check-target");
    add(world, "a");
    drain(world);
    expect(standing(world)).toEqual(["a:returned"]);
    expect(world.checks).toEqual(["a+base", "base"]);
  });
});

test("an entry called back while its landing is uncertain is merged if it landed all the same", () => {
  const world = createWorld({});
  world.failNext.add("land");
  add(world, "a");
  // The landing happens, but its answer is lost; meanwhile the run gives up.
  carryOutNext(world, "land");
  expect(world.target).toEqual(["base", "a"]);
  send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-a", why: "stopped" });
  drain(world);
  expect(standing(world)).toEqual(["a:merged"]);
});

test("an entry that alone makes the machinery fail goes back, and the others land", () => {
  const world = createWorld({});
  world.brokenBy = "x";
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  for (const name of ["x", "a", "b"]) add(world, name);
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  drain(world);
  expect(world.target).toEqual(["base", "a", "b"]);
  expect(world.queue.past.find((past) => past.branch === "b-x")?.end).toMatchObject({
    kind: "returned",
    reason: { kind: "held" },
  });
});
