import { describe, expect, test } from "vitest";
import { commitId, treeId } from "../ids.ts";
import {
  add,
  carryOutNext,
  commitOf,
  createWorld,
  drain,
  failed,
  pushForeign,
  runUntil,
  send,
  standing,
  type World,
} from "../../../test/support/queue-world.ts";
import { attentionOf, rests } from "./attention.ts";
import type { LandingOutcome } from "./entry.ts";
import { explain } from "./explain.ts";
import { landingFinished } from "./landing.ts";
import { emptyOutput } from "../effect.ts";

/** The prefix of so many entries passes, or does not. */
function answer(world: World, position: number, isGreen = true): void {
  const ref = world.queue.stack[position - 1]?.test?.ref;
  if (ref === undefined) throw new Error(`the prefix of ${position} is not under test`);
  send(world, {
    kind: "candidate-checked",
    at: (world.now += 1),
    ref,
    outcome: isGreen
      ? { kind: "passed", tree: treeId("t"), results: [], flaky: false, remembered: true }
      : failed("t"),
  });
}

/** Three entries under test once more: the forge did not take so many of them, which had passed, at once. */
function refusedAsOne(entries: number): World {
  const world = createWorld({ step: 1, lanes: 3 });
  world.nextLanding.push({ kind: "one-by-one", why: "protected" });
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  for (const name of ["a", "b", "c"]) add(world, name);
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  runUntil(world, "check-candidate");
  answer(world, entries);
  carryOutNext(world, "land");
  runUntil(world, "check-candidate");
  return world;
}

test("a target moved by someone else: everything is planned and tested again on top of it", () => {
  const world = createWorld({});
  add(world, "a");
  runUntil(world, "land");
  pushForeign(world, "f");
  drain(world);
  expect(world.target).toEqual(["base", "f", "a"]);
  expect(world.checks).toEqual(["a+base", "a+base+f"]);
});

test("the outcome of another landing changes nothing", () => {
  const { queue } = createWorld({});
  const outcome = { kind: "landed", commit: commitId("x") } as const;
  const context = { at: 1, output: emptyOutput() };
  expect(landingFinished(queue, { ref: "9", outcome }, context)).toBe(queue);
});

test("an entry whose branch another writer pushed to goes back to its author, and the others continue", () => {
  const world = createWorld({ step: 1 });
  add(world, "a");
  add(world, "b");
  const { effect } = runUntil(world, "land");
  if (effect.kind !== "land") throw new Error("nothing lands");
  const outcome = { kind: "overtaken", theirs: commitId("t"), log: "t Bob: x" } as const;
  send(world, { kind: "landing-finished", at: 1, ref: effect.ref, outcome });
  expect(world.queue.past.map(({ end }) => end)).toEqual([{ kind: "returned", reason: outcome }]);
  drain(world);
  expect(world.target).toEqual(["base", "b"]);
});

test("a commit that the forge itself made is accepted, and stacked entries are built again", () => {
  const world = createWorld({ step: 1 });
  add(world, "a");
  add(world, "b");
  const { effect } = runUntil(world, "land");
  const made = commitId("c:base+a+");
  if (effect.kind !== "land") throw new Error("no landing");
  send(world, {
    kind: "landing-finished",
    at: world.now,
    ref: effect.ref,
    outcome: { kind: "landed", commit: made },
  });
  expect(world.queue.target?.commit).toBe(made);
  expect(world.queue.stack).toEqual([]);
});

describe("only a forge's merge gets onto the target", () => {
  test("a batch is tested and landed one by one from then on, until a push is taken again", () => {
    const world = createWorld({ step: 4 });
    world.nextLanding.push({ kind: "one-by-one", why: "protected" });
    send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
    for (const name of ["a", "b", "c"]) add(world, name);
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    runUntil(world, "land");
    expect(world.history).toHaveLength(1);
    carryOutNext(world, "land");
    expect(world.queue.oneByOne).toBe(true);
    const said = explain(world.queue, 1, world.now)?.map(({ text }) => text);
    expect(said?.join("\n")).toContain("the forge merges PRs there, one by one");
    carryOutNext(world, "land");
    expect(world.target).toEqual(["base", "a"]);
    // That was a push that was not refused.
    expect(world.queue.oneByOne).toBeUndefined();
    drain(world);
    expect(world.checks).toContain("a+base");
  });

  test("a batch whose result is remembered is not landed as one again before each has passed", () => {
    const world = refusedAsOne(3);
    expect(world.queue.oneByOne).toBe(true);
    answer(world, 3);
    expect(world.queue.landing).toBeUndefined();
    carryOutNext(world, "check-candidate");
    expect(world.queue.landing?.entries).toEqual([1]);
  });

  test("what passed together with others is not tested again while the red one behind it is found", () => {
    const world = refusedAsOne(2);
    answer(world, 2);
    answer(world, 3, false);
    expect(world.queue.stack.map(({ test: under }) => under !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("while it waits for its own checks no person is told, and half an hour later one is", () => {
    const world = createWorld({});
    const waiting: LandingOutcome = { kind: "waiting", why: "the check build is expected" };
    for (let count = 0; count < 60; count += 1) world.nextLanding.push(waiting);
    add(world, "a");
    carryOutNext(world, "land");
    expect(attentionOf(world.queue)).toEqual([]);
    expect(rests(world.queue)).toBe(false);
    const begun = world.now;
    drain(world);
    expect(world.queue.stop).toMatchObject({
      kind: "rejected",
      why: "the check build is expected",
    });
    expect(world.now - begun).toBeGreaterThanOrEqual(1_800_000);
    expect(world.now - begun).toBeLessThan(2_100_000);
    expect(world.nextLanding.length).toBeGreaterThan(20);
    world.nextLanding.length = 0;
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    drain(world);
    expect(world.target).toEqual(["base", "a"]);
  });

  test("a tree that it merged untested stops the queue, and a person is told", () => {
    const world = createWorld({});
    add(world, "a");
    const { effect } = runUntil(world, "land");
    if (effect.kind !== "land") throw new Error("no landing");
    expect(effect.prs).toMatchObject([{ branch: expect.any(String) }]);
    const outcome = { kind: "landed", commit: commitId("c:other"), by: "forge" } as const;
    const finished = { kind: "landing-finished", at: world.now, ref: effect.ref } as const;
    send(world, { ...finished, outcome: { ...outcome, untested: "another tree" } });
    expect(standing(world)).toEqual(["a:merged"]);
    expect(world.queue.stop).toMatchObject({ why: expect.stringContaining("another tree") });
    expect(world.queue.target?.proof).toBe("unknown");
  });
});

describe("held by the user's checkout", () => {
  const held: LandingOutcome = { kind: "held", paths: ["a.txt"], why: "edits in a.txt" };

  test("an entry is tried again later and does not hold up the others", () => {
    const world = createWorld({ step: 1 });
    world.nextLanding.push(held);
    add(world, "a");
    carryOutNext(world, "land");
    add(world, "b");
    runUntil(world, "check-candidate");
    expect(standing(world)).toEqual(["b:testing", "a:held"]);
    drain(world);
    expect(world.target).toEqual(["base", "b", "a"]);
  });

  test("a batch that is held is landed one by one from then on", () => {
    const world = createWorld({ step: 4 });
    world.nextLanding.push(held);
    send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
    for (const name of ["a", "b", "c"]) add(world, name);
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    drain(world);
    expect(world.history.length).toBe(4);
    expect(world.target).toEqual(["base", "a", "b", "c"]);
  });

  test("where the whole checkout is in the way, the same landing is tried again without a new test", () => {
    const world = createWorld({});
    world.nextLanding.push({ kind: "held", paths: [], why: "a rebase is in progress" });
    add(world, "a");
    drain(world);
    expect(world.target).toEqual(["base", "a"]);
    expect(world.checks.length).toBe(1);
  });

  test("the wait grows while nothing changes", () => {
    const world = createWorld({});
    world.nextLanding.push(held, held, held);
    add(world, "a");
    const waits: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      carryOutNext(world, "land");
      const until = world.queue.entries[0]?.notBefore ?? 0;
      waits.push(until - world.now);
      world.now = until;
      send(world, { kind: "deadline-passed", at: until });
    }
    expect(waits).toEqual([10_000, 20_000, 40_000]);
  });
});

test("a rejected landing stops the queue with why and what to do, and resuming tries it again", () => {
  const world = createWorld({});
  world.nextLanding.push({ kind: "rejected", why: "protected branch", hint: "allow pawl-bot" });
  add(world, "a");
  drain(world);
  expect(world.queue.stop).toMatchObject({ kind: "rejected", hint: "allow pawl-bot" });
  expect(world.notices.join()).toContain("protected branch");
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  drain(world);
  expect(world.target).toEqual(["base", "a"]);
  expect(world.checks.length).toBe(1);
});

test("after a change of the gates has landed, nothing is built before the new ones are known", () => {
  const world = createWorld({ rules: { changesPolicy: (item) => item === "gates" } });
  add(world, "gates");
  drain(world);
  expect(standing(world)).toEqual(["gates:waiting"]);
  send(world, {
    kind: "entry-approved",
    at: world.now,
    entry: 1,
    head: commitId("gates"),
    by: "op",
  });
  add(world, "b");
  runUntil(world, "land");
  world.policy = { ...world.policy, ci: { ...world.policy.ci, none: true } };
  drain(world);
  expect(world.target).toEqual(["base", "gates", "b"]);
  expect(world.queue.policy?.ci.none).toBe(true);
  expect(world.queue.target?.commit).toBe(commitOf(["base", "gates", "b"]));
});
