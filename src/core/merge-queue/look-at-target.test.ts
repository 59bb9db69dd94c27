import { expect, test } from "vitest";
import {
  add,
  carryOutNext,
  createWorld,
  drain,
  pushForeign,
  runUntil,
  send,
  type World,
} from "../../../test/support/queue-world.ts";
import type { ServerWord } from "../check.ts";
import { queueDeadline } from "./deadline.ts";
import { isLookDue } from "./look-at-target.ts";

const POLL_MS = 30_000;
const TIMEOUT_MS = 3_600_000;
const PASSED: ServerWord = { kind: "passed" };
const OPEN: ServerWord = { kind: "open", why: "still waiting for lint" };
const RED: ServerWord = {
  kind: "failed",
  results: ["lint", "test"].map((gate) => ({
    gate,
    passed: gate === "lint",
    exitCode: null,
    signal: null,
    timedOut: false,
    durationMs: 0,
    logFile: "https://ci.example.org/1",
    logTail: "1 of 3 failed",
  })),
};

/** Only a CI server judges. */
function serverWorld(...says: ServerWord[]): World {
  const world = createWorld({});
  const server = { kind: "forge", contexts: [], timeoutMs: TIMEOUT_MS, pollMs: POLL_MS } as const;
  const { ci } = world.policy;
  return Object.assign(world, {
    policy: { ...world.policy, ci: { ...ci, gates: [], server } },
    says,
  });
}

/** The project asks, and the server is looked at. */
function ask(world: World): void {
  send(world, { kind: "proof-wanted", at: (world.now += 1) });
  carryOutNext(world, "look-at-target");
}
function later(world: World, ms: number): void {
  world.now += ms;
  send(world, { kind: "deadline-passed", at: world.now });
  carryOutNext(world, "look-at-target");
}
function seen(world: World): void {
  send(world, { kind: "target-observed", at: (world.now += 1), target: world.history.at(-1)! });
}

test("where only a CI server judges, its verdict on the target is looked at, and nothing is run", () => {
  const world = serverWorld(PASSED);
  ask(world);
  expect([world.heard, world.checks]).toEqual([["target-proven"], []]);
  send(world, { kind: "proof-wanted", at: (world.now += 1) });
  expect(world.heard).toEqual(["target-proven", "target-proven"]);
});

test("a server without a verdict says so to the project, and is asked again each time", () => {
  const world = serverWorld(OPEN, RED);
  ask(world);
  expect(world.heard).toEqual(["target-open"]);
  expect(queueDeadline(world.queue)).toBeUndefined();
  ask(world);
  expect(world.heard).toEqual(["target-open", "target-failed"]);
});

test("a red target is looked at again until the server says something else", () => {
  const world = serverWorld(RED, RED, PASSED);
  ask(world);
  expect(world.heard).toEqual(["target-failed"]);
  later(world, POLL_MS);
  later(world, POLL_MS);
  expect(world.heard).toEqual(["target-failed", "target-failed", "target-proven"]);
  expect(queueDeadline(world.queue)).toBeUndefined();
});

test("after a red target a new verdict is waited for, for as long as the server may take", () => {
  const world = serverWorld(RED, OPEN);
  ask(world);
  pushForeign(world, "fix");
  later(world, POLL_MS);
  expect(world.heard).toEqual(["target-failed"]);
  later(world, TIMEOUT_MS);
  expect(world.heard).toEqual(["target-failed", "target-open"]);
});

test("the wait for a new verdict is not shortened by a clock that jumps", () => {
  const world = serverWorld(RED, OPEN);
  ask(world);
  const gapMs = 2 * TIMEOUT_MS;
  world.now += gapMs;
  send(world, { kind: "clock-jumped", at: world.now, gapMs });
  later(world, POLL_MS);
  expect(world.heard).toEqual(["target-failed"]);
});

test("a target that moves is looked at again, and what the queue landed needs no look", () => {
  const world = serverWorld(RED, PASSED);
  ask(world);
  pushForeign(world, "fix");
  later(world, POLL_MS);
  expect(world.heard).toEqual(["target-failed", "target-proven"]);
  world.says = [RED];
  add(world, "a");
  drain(world);
  send(world, { kind: "proof-wanted", at: (world.now += 1) });
  expect([world.queue.look, world.heard.at(-1)]).toEqual([undefined, "target-proven"]);
});

test("a server that refuses to be asked is a failure, and is asked again after a pause", () => {
  const world = serverWorld(PASSED);
  world.failNext.add("look-at-target");
  ask(world);
  expect(world.heard).toEqual(["target-failed"]);
  expect(isLookDue(world.queue, world.now)).toBe(false);
  later(world, POLL_MS);
  expect(world.heard).toEqual(["target-failed", "target-proven"]);
});

test("what the server says of a target that has moved meanwhile does not keep agents waiting", () => {
  const world = serverWorld(PASSED);
  send(world, { kind: "proof-wanted", at: (world.now += 1) });
  runUntil(world, "look-at-target");
  pushForeign(world, "b");
  seen(world);
  carryOutNext(world, "survey-queue");
  carryOutNext(world, "look-at-target");
  expect(world.heard).toEqual(["target-proven", "target-unproven"]);
});
