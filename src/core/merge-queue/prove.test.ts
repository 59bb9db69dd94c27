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
import { queueDeadline } from "./deadline.ts";
import { isAnswerDue } from "./prove.ts";

const ask = (world: World, how: { look?: true; fresh?: true } = {}): void =>
  send(world, { kind: "proof-wanted", at: (world.now += 1), ...how });
const seen = (world: World): void => {
  const target = world.history.at(-1)!;
  send(world, { kind: "target-observed", at: (world.now += 1), target });
};
const isBad = (item: string): boolean => item.startsWith("bad");

test("an empty queue proves the target for the project, once", () => {
  const world = createWorld({});
  ask(world);
  drain(world);
  expect([world.checks, world.heard]).toEqual([["base"], ["target-proven"]]);
  ask(world);
  drain(world);
  expect([world.checks, world.heard]).toEqual([["base"], ["target-proven", "target-proven"]]);
});

test("what the queue landed is proven already", () => {
  const world = createWorld({});
  ask(world);
  drain(world);
  add(world, "a");
  drain(world);
  ask(world);
  drain(world);
  expect(world.checks).toEqual(["base", "a+base"]);
  expect(world.heard).toEqual(["target-proven", "target-proven"]);
});

test("a red target is reported, and so is its way back to green", () => {
  const world = createWorld({ rules: { bad: (item, all) => isBad(item) && !all.includes("fix") } });
  pushForeign(world, "bad");
  ask(world);
  drain(world);
  expect(world.heard).toEqual(["target-failed"]);
  pushForeign(world, "fix");
  seen(world);
  expect(world.heard.at(-1)).toBe("target-unproven");
  ask(world);
  drain(world);
  expect(world.heard.at(-1)).toBe("target-proven");
});

test("a person's branch that fixes a red target lands, and the project hears of it", () => {
  const world = createWorld({ rules: { bad: (item, all) => isBad(item) && !all.includes("fix") } });
  pushForeign(world, "bad");
  ask(world);
  drain(world);
  add(world, "fix");
  drain(world);
  expect(world.target).toEqual(["base", "bad", "fix"]);
  expect(world.heard).toEqual(["target-failed", "target-proven"]);
});

test("a target that moved is in doubt from the moment it is seen elsewhere", () => {
  const world = createWorld({});
  ask(world);
  drain(world);
  pushForeign(world, "x");
  seen(world);
  expect(world.heard).toEqual(["target-proven", "target-unproven"]);
});

test("a target that moves while it is checked does not keep the project waiting for ever", () => {
  const world = createWorld({});
  ask(world);
  runUntil(world, "check-target");
  pushForeign(world, "x");
  seen(world);
  carryOutNext(world, "survey-queue");
  carryOutNext(world, "check-target");
  expect(world.heard).toEqual(["target-proven", "target-unproven"]);
});

test("a gate that cannot run is reported at once, tried again with pauses, and never stops the queue", () => {
  const world = createWorld({});
  world.brokenBy = "base";
  ask(world);
  runUntil(world, "check-target");
  carryOutNext(world, "check-target");
  expect(world.heard).toEqual(["target-failed"]);
  expect(isAnswerDue(world.queue, world.now)).toBe(false);
  for (let round = 0; round < 10; round += 1) {
    world.now = queueDeadline(world.queue)!;
    send(world, { kind: "deadline-passed", at: world.now });
    carryOutNext(world, "check-target");
  }
  expect(world.queue.stop).toBeUndefined();
  world.brokenBy = undefined;
  drain(world);
  expect(world.heard.at(-1)).toBe("target-proven");
});

test("a paused queue does not keep agents from starting", () => {
  const world = createWorld({});
  send(world, { kind: "queue-paused", at: world.now, by: "ann", why: "later" });
  ask(world);
  drain(world);
  expect(world.heard).toEqual(["target-proven"]);
});

test("another gate at the same commit is checked, and so is what a person wants checked again", () => {
  const world = createWorld({});
  ask(world);
  drain(world);
  const gates = [{ name: "test", command: "npm test", timeoutMs: 1000 }];
  world.policy = { ...world.policy, ci: { ...world.policy.ci, gates } };
  ask(world, { look: true });
  drain(world);
  ask(world, { look: true, fresh: true });
  const { effect } = runUntil(world, "check-target");
  expect(effect).toMatchObject({ fresh: true });
  drain(world);
  expect(world.checks).toEqual(["base", "base", "base"]);
});

test("a project without gates is told at once", () => {
  const world = createWorld({});
  world.policy = { ...world.policy, ci: { ...world.policy.ci, gates: [], none: true } };
  ask(world);
  drain(world);
  expect([world.checks, world.heard]).toEqual([[], ["target-proven"]]);
});
