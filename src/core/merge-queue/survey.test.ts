import { describe, expect, test } from "vitest";
import {
  add,
  carryOutNext,
  commitOf,
  createWorld,
  drain,
  entry,
  outcomeOf,
  pushForeign,
  runUntil,
  send,
  standing,
} from "../../../test/support/queue-world.ts";
import { commitId } from "../ids.ts";

const clash = (a: string, b: string) => (x: string, y: string) =>
  (x === a && y === b) || (x === b && y === a);

test("a branch that conflicts with the target goes back at once with the files, before any check", () => {
  const world = createWorld({ rules: { conflict: clash("f", "a") } });
  pushForeign(world, "f");
  add(world, "a", { run: undefined });
  drain(world);
  expect(world.checks).toEqual([]);
  expect(world.queue.past[0]?.end).toEqual({
    kind: "returned",
    reason: { kind: "conflict", files: ["f-a.txt"] },
  });
  expect(world.signals).toEqual(["MERGE_READY b-a", "MERGE_CONFLICT b-a"]);
});

test("two branches that conflict never share a batch: the later one goes back when the other has landed, untested", () => {
  const world = createWorld({ rules: { conflict: clash("a", "b") } });
  for (const name of ["a", "b", "c"]) add(world, name);
  drain(world);
  expect(world.target).toEqual(["base", "a", "c"]);
  expect(standing(world)).toContain("b:returned");
  expect(world.checks.some((tree) => tree.includes("b+") && tree.startsWith("a+b"))).toBe(false);
});

test("a branch is not sent back for a conflict with one that turns out to be red", () => {
  const world = createWorld({
    rules: { conflict: clash("a", "b"), bad: (item) => item === "a" },
  });
  add(world, "a");
  add(world, "b");
  drain(world);
  expect(world.target).toEqual(["base", "b"]);
  expect(world.signals.slice(2)).toEqual(["MERGE_CONFLICT b-a", "MERGE_COMPLETE b-b"]);
});

describe("what a survey says of the target", () => {
  test("is not believed where a landing of ours came in between", () => {
    const world = createWorld({ step: 1 });
    add(world, "a");
    runUntil(world, "land");
    add(world, "b");
    const survey = runUntil(world, "survey-queue");
    // It looks before the landing, and its answer comes after it.
    const old = outcomeOf(world, survey);
    world.pending = world.pending.filter((row) => row.obligation !== survey);
    carryOutNext(world, "land");
    if (old !== undefined) send(world, old);
    expect(world.queue.target?.commit).toBe(commitOf(["base", "a"]));
    expect(world.queue.target?.proof).toBe("green");
    drain(world);
    expect(world.checks).toEqual(["a+base", "a+b+base"]);
  });

  test("makes everything that was built on another one void", () => {
    const world = createWorld({});
    add(world, "a");
    runUntil(world, "check-candidate");
    pushForeign(world, "f");
    send(world, { kind: "target-observed", at: world.now, target: commitOf(["base", "f"]) });
    const before = world.pending.filter((row) => row.obligation.effect.kind === "check-candidate");
    expect(before.length).toBe(1);
    drain(world);
    expect(world.target).toEqual(["base", "f", "a"]);
    expect(world.history).toHaveLength(3);
  });
});

test("other rules on the same target make the verdicts by the old ones void", () => {
  const world = createWorld({});
  add(world, "a");
  runUntil(world, "check-candidate");
  send(world, { kind: "queue-paused", at: world.now, by: "op", why: "new gates" });
  world.policy = { ...world.policy, lanes: 2 };
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  drain(world);
  expect(world.queue.policy?.lanes).toBe(2);
  expect(world.target).toEqual(["base", "a"]);
});

test("many new entries are looked at a few at a time, so that the first need not wait for all", () => {
  const world = createWorld({});
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  for (let count = 0; count < 100; count += 1) add(world, `w${count}`);
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  const { effect } = runUntil(world, "survey-queue");
  expect(effect).toMatchObject({ others: [] });
  expect(effect.kind === "survey-queue" ? effect.fresh.length : 0).toBe(32);
  expect(effect.kind === "survey-queue" ? effect.fresh[0] : "").toBe(commitId("w0"));
});

test("entries that are queued in one moment are looked at together", () => {
  const world = createWorld({});
  const at = (world.now += 1);
  for (const name of ["a", "b", "c"]) {
    send(world, { kind: "entry-requested", at, entry: entry(name) });
  }
  expect(world.pending.map(({ obligation }) => obligation.effect)).toMatchObject([
    { kind: "survey-queue", fresh: ["a", "b", "c"], others: [] },
  ]);
  drain(world);
  expect(world.target).toEqual(["base", "a", "b", "c"]);
});

test("a look at the target that begins again for a new entry is not lost while the queue is paused", () => {
  const world = createWorld({});
  const at = (world.now += 1);
  send(world, { kind: "entry-requested", at, entry: entry("a") });
  send(world, { kind: "queue-paused", at, by: "op", why: "test" });
  send(world, { kind: "entry-requested", at, entry: entry("b") });
  expect(world.pending).toEqual([]);
  send(world, { kind: "queue-resumed", at: (world.now += 1), by: "op" });
  drain(world);
  expect(world.target).toEqual(["base", "a", "b"]);
});
