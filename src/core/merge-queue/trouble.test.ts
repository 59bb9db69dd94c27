import { describe, expect, test } from "vitest";
import {
  add,
  carryOutNext,
  createWorld,
  drain,
  runUntil,
  send,
  standing,
  type World,
} from "../../../test/support/queue-world.ts";
import type { EffectKind } from "../effect.ts";
import { POISON } from "../quarantine.ts";
import { queueDeadline } from "./deadline.ts";

describe("CI infrastructure that fails", () => {
  test("is tried again after a while, and no entry is blamed", () => {
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

test("an entry cancelled while its landing is uncertain is merged if it landed all the same", () => {
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

test("an entry that alone makes the CI infrastructure fail goes back, and the others land", () => {
  const world = createWorld({ step: 4 });
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

const PROOF_KINDS = ["survey-queue", "check-target"] as const;

/** The next effect of this kind fails for good. */
function fail(world: World, kind: EffectKind, code: string): void {
  const obligation = runUntil(world, kind);
  world.pending = world.pending.filter((row) => row.obligation !== obligation);
  const failed = { obligation, code, message: "it broke" };
  send(world, { kind: "effect-failed", at: world.now, failed });
}

const isAskedFor = (world: World): boolean =>
  world.pending.some(({ obligation }) =>
    PROOF_KINDS.some((kind) => kind === obligation.effect.kind),
  );

function waitLong(world: World): void {
  for (let rounds = 0; rounds < 20 && !isAskedFor(world); rounds += 1) {
    const deadline = queueDeadline(world.queue);
    if (deadline === undefined) return;
    send(world, { kind: "deadline-passed", at: (world.now = Math.max(world.now, deadline)) });
  }
}

/** The project waits for the proof of the target; the queue has an entry, or none. */
function asking(entries: boolean): World {
  const world = createWorld({});
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "w" });
  if (entries) add(world, "a");
  send(world, { kind: "proof-wanted", at: (world.now += 1) });
  return world;
}

describe.each([{ entries: true }, { entries: false }])(
  "while the project waits for the proof (entries: $entries)",
  ({ entries }) => {
    test.each(PROOF_KINDS)("%s that failed for good is tried again after a pause only", (kind) => {
      const world = asking(entries);
      fail(world, kind, "broken");
      expect(isAskedFor(world)).toBe(false);
      waitLong(world);
      expect(isAskedFor(world)).toBe(true);
    });

    test.each(PROOF_KINDS)(
      "%s that the daemon died of is tried again only when a person says so",
      (kind) => {
        const world = asking(entries);
        fail(world, kind, POISON);
        waitLong(world);
        send(world, { kind: "proof-wanted", at: (world.now += 1) });
        waitLong(world);
        expect(isAskedFor(world)).toBe(false);
        // Each time the project asks, it hears that a person must answer.
        expect(world.heard).toEqual(["target-failed", "target-failed"]);
        const stopped = world.queue;
        send(world, { kind: "proof-wanted", at: (world.now += 1), look: true, fresh: true });
        expect(isAskedFor(world)).toBe(true);
        world.queue = stopped;
        world.pending = [];
        send(world, { kind: "queue-resumed", at: (world.now += 1), by: "op" });
        drain(world);
        expect(world.heard.at(-1)).toBe("target-proven");
      },
    );
  },
);

test("a check of the target that the daemon died of is not tried again when the project asks later", () => {
  const world = createWorld({ rules: { bad: (item) => item === "a" } });
  add(world, "a");
  fail(world, "check-target", POISON);
  send(world, { kind: "proof-wanted", at: (world.now += 1) });
  expect(isAskedFor(world)).toBe(false);
  expect(world.heard).toEqual(["target-failed"]);
});
