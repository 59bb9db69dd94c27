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
import { runId } from "../ids.ts";

test("the same head asked for twice is one entry; another priority is taken over", () => {
  const world = createWorld({});
  add(world, "a");
  add(world, "a");
  expect(world.queue.entries.length).toBe(1);
  add(world, "a", { priority: 2 });
  expect(world.queue.entries).toMatchObject([{ id: 1, priority: 2 }]);
});

test("new commits replace the old head, and what was built with it is given up", () => {
  const world = createWorld({});
  add(world, "a");
  runUntil(world, "check-candidate");
  add(world, "a2", { branch: "b-a" });
  expect(world.queue.entries).toMatchObject([{ id: 2, attempts: 2, head: "a2" }]);
  drain(world);
  expect(world.target).toEqual(["base", "a2"]);
  expect(world.checks).toEqual(["a2+base"]);
});

test("a branch that was sent back is listed until it is queued again, and counts its attempts", () => {
  const world = createWorld({ rules: { bad: (item) => item === "a" } });
  add(world, "a");
  drain(world);
  expect(standing(world)).toEqual(["a:returned"]);
  add(world, "a2", { branch: "b-a" });
  expect(standing(world)).toEqual(["a:queued"]);
  drain(world);
  expect(world.queue.past).toMatchObject([{ attempts: 2, end: { kind: "merged" } }]);
});

test("a branch that a person added is ready; a run says so itself", () => {
  const world = createWorld({});
  add(world, "a");
  add(world, "a");
  add(world, "b", { run: runId("7.1") });
  expect(world.signals).toEqual(["MERGE_READY b-a"]);
});

test("a run that asks again for what it landed is told so, without a second signal", () => {
  const world = createWorld({});
  const run = runId("7.1");
  add(world, "a", { run });
  drain(world);
  add(world, "a", { run });
  drain(world);
  expect(world.queue.past).toMatchObject([{ id: 2, end: { kind: "merged" } }]);
  expect(world.signals).toEqual(["MERGE_COMPLETE b-a"]);
});

test("what landed stays on record when its branch is queued again, lands again, or is removed", () => {
  const world = createWorld({});
  add(world, "a");
  drain(world);
  const first = { id: 1, head: "a", end: { kind: "merged" } };
  add(world, "a2", { branch: "b-a" });
  expect(world.queue.past).toMatchObject([first]);
  send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-a", why: "by mistake" });
  expect(world.queue.past).toMatchObject([first, { id: 2, end: { kind: "withdrawn" } }]);
  add(world, "a3", { branch: "b-a" });
  drain(world);
  expect(world.queue.past).toMatchObject([first, { id: 3, head: "a3", end: { kind: "merged" } }]);
});

test("an entry waits for a branch that is queued again, or was sent back, after it has landed", () => {
  const world = createWorld({ rules: { bad: (item) => item === "a2" } });
  add(world, "a");
  drain(world);
  add(world, "x", { after: ["b-a"] });
  expect(world.queue.entries).toMatchObject([{ branch: "b-x", after: [] }]);
  drain(world);
  add(world, "a2", { branch: "b-a" });
  add(world, "y", { after: ["b-a"] });
  expect(world.queue.entries).toMatchObject([{ id: 3 }, { branch: "b-y", after: ["b-a"] }]);
  drain(world);
  add(world, "z", { after: ["b-a"] });
  expect(world.queue.entries).toMatchObject([{ branch: "b-y" }, { branch: "b-z", after: ["b-a"] }]);
});

test("a run that asks for a branch that a person has queued is told that it landed", () => {
  const world = createWorld({});
  add(world, "a");
  add(world, "a", { run: runId("7.1"), issue: 7 });
  // A person may ask once more: it stays the run's.
  add(world, "a", { priority: 2 });
  expect(world.queue.entries).toMatchObject([{ id: 1, run: "7.1", issue: 7, priority: 2 }]);
  drain(world);
  expect(world.told).toEqual([{ kind: "entry-landed", head: "a" }]);
});

test("a run that asks for what an earlier attempt's landing still holds is told that it landed", () => {
  const world = createWorld({ step: 1 });
  add(world, "a", { run: runId("7.1") });
  runUntil(world, "land");
  send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-a", why: "it was stopped" });
  add(world, "a", { run: runId("7.2") });
  expect(world.queue.entries).toMatchObject([{ id: 1, run: "7.2", leaving: undefined }]);
  drain(world);
  expect(world.told).toEqual([{ kind: "entry-landed", head: "a" }]);
});

describe("taking out", () => {
  const remove = (world: World, entry: number): void =>
    send(world, { kind: "entry-removed", at: world.now, entry, by: "ada" });

  test("a person's own branch just leaves", () => {
    const world = createWorld({});
    add(world, "a");
    remove(world, 1);
    expect(standing(world)).toEqual(["a:withdrawn"]);
    expect(world.told).toEqual([]);
  });

  test("a run hears of it, so that it does not wait for ever", () => {
    const world = createWorld({});
    add(world, "a", { run: runId("7.1") });
    remove(world, 1);
    expect(standing(world)).toEqual(["a:returned"]);
    expect(world.told).toEqual([{ kind: "entry-returned", head: "a", reason: "held" }]);
  });

  test("what is being landed stays, and what was sent back is no longer listed", () => {
    const world = createWorld({ rules: { bad: (item) => item === "b" } });
    add(world, "a");
    runUntil(world, "land");
    remove(world, 1);
    drain(world);
    add(world, "b");
    drain(world);
    expect(standing(world)).toEqual(["b:returned", "a:merged"]);
    remove(world, 1);
    remove(world, 2);
    expect(standing(world)).toEqual(["a:merged"]);
  });
});

describe("cancelling", () => {
  test("an entry that waits leaves at once, with everything built on it", () => {
    const world = createWorld({});
    add(world, "a");
    runUntil(world, "check-candidate");
    send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-a", why: "closed" });
    expect(standing(world)).toEqual(["a:withdrawn"]);
    drain(world);
    expect(world.checks).toEqual([]);
    expect(world.released.size).toBe(1);
  });

  test("an entry that is being landed cannot be cancelled: it is merged if it lands", () => {
    const world = createWorld({});
    add(world, "a");
    runUntil(world, "land");
    send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-a", why: "closed" });
    expect(standing(world)).toEqual(["a:landing"]);
    drain(world);
    expect(standing(world)).toEqual(["a:merged"]);
  });

  test("it leaves if the landing does not happen", () => {
    const world = createWorld({});
    world.nextLanding.push({ kind: "held", paths: ["x"], why: "edits" });
    add(world, "a");
    runUntil(world, "land");
    send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-a", why: "closed" });
    carryOutNext(world, "land");
    expect(standing(world)).toEqual(["a:withdrawn"]);
  });

  test("new commits during a landing wait for its outcome, and both heads are accounted for", () => {
    const world = createWorld({});
    const run = runId("1.1");
    add(world, "a", { run });
    runUntil(world, "land");
    add(world, "a2", { branch: "b-a", run });
    drain(world);
    expect(world.target).toEqual(["base", "a", "a2"]);
    expect(world.told).toEqual([
      { kind: "entry-landed", head: "a" },
      { kind: "entry-landed", head: "a2" },
    ]);
  });
});

describe("entries that depend on each other", () => {
  test("land in one batch, in their order", () => {
    const world = createWorld({});
    add(world, "child", { after: ["b-parent"] });
    add(world, "parent");
    drain(world);
    expect(world.target).toEqual(["base", "parent", "child"]);
  });

  test("the later one waits while the earlier one is fixed", () => {
    const world = createWorld({ rules: { bad: (item) => item === "parent" } });
    add(world, "parent");
    add(world, "child", { after: ["b-parent"] });
    drain(world);
    expect(standing(world)).toEqual(["child:waiting", "parent:returned"]);
    add(world, "parent2", { branch: "b-parent" });
    drain(world);
    expect(world.target).toEqual(["base", "parent2", "child"]);
  });

  test("what has landed before is not waited for", () => {
    const world = createWorld({});
    add(world, "parent");
    drain(world);
    add(world, "child", { after: ["b-parent"] });
    drain(world);
    expect(world.target).toEqual(["base", "parent", "child"]);
  });

  test("one that would wait for itself goes back with the circle", () => {
    const world = createWorld({});
    add(world, "a", { after: ["b-b"] });
    add(world, "b", { after: ["b-c"] });
    add(world, "c", { after: ["b-a"] });
    expect(world.queue.past).toMatchObject([
      {
        branch: "b-c",
        end: { reason: { why: "it waits for itself: b-c → b-a → b-b → b-c" } },
      },
    ]);
  });
});

test("an entry that is cancelled and requested again while it lands is landed once", () => {
  const world = createWorld({ step: 1 });
  add(world, "a");
  runUntil(world, "land");
  send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-a", why: "the agent goes on" });
  add(world, "a");
  expect(world.queue.entries).toMatchObject([{ id: 1, leaving: undefined }]);
  drain(world);
  expect(world.target).toEqual(["base", "a"]);
  expect(world.history).toHaveLength(2);
});
