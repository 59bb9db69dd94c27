import { describe, expect, test } from "vitest";
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
import { runId } from "../ids.ts";
import { explain } from "./explain.ts";

const lines = (world: World, id: number): string[] =>
  (explain(world.queue, id, world.now) ?? []).map((line) => `${line.kind}: ${line.text}`);

test("an unknown entry has no explanation", () => {
  expect(explain(createWorld({}).queue, 7, 0)).toBeUndefined();
});

test("an entry that landed tells what was tested and what it landed as", () => {
  const world = createWorld({});
  world.nextCheck.push("flaky");
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  add(world, "a");
  add(world, "b");
  expect(lines(world, 1)).toContain("queue: the queue is paused by op: filling up");
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  drain(world);
  expect(lines(world, 2)).toEqual([
    "entry: b-b at b was queued as entry 2 (for the first time, priority 0)",
    "evidence: tested as 2 of 2: passed (flaky)",
    "evidence: landed in a batch of 2",
    "end: landed as c:base+a+b",
  ]);
});

test("a red entry tells on top of what it was red", () => {
  const world = createWorld({ rules: { bad: (item) => item === "a" } });
  add(world, "a");
  runUntil(world, "check-candidate");
  expect(lines(world, 1)).toEqual([
    "entry: b-a at a was queued as entry 1 (for the first time, priority 0)",
    "position: it is testing, number 1 of 1",
    "position: it is being tested together with the entries before it",
  ]);
  drain(world);
  expect(lines(world, 1).slice(1)).toEqual([
    "evidence: tested alone: failed: test",
    "evidence: tested alone: failed: test",
    "end: sent back: red on top of a green target (test)",
    "output: | red",
    "output: whole output: /log (`pawl ci logs b-a`)",
    "end: fix the branch and commit, then queue it again: `pawl merge-queue add b-a`",
  ]);
});

test("an entry that was queued again tells how it ended before", () => {
  const world = createWorld({ rules: { bad: (item) => item === "a" } });
  add(world, "a");
  drain(world);
  add(world, "a2", { branch: "b-a" });
  expect(lines(world, 2).slice(0, 2)).toEqual([
    "evidence: b-a at a was queued before as entry 1, and sent back: red on top of a green target (test)",
    "entry: b-a at a2 was queued as entry 2 (for the second time, priority 0)",
  ]);
  expect(lines(world, 2).join()).not.toContain("queue it again");
});

test("an entry without changes of its own is to be removed, not fixed", () => {
  const world = createWorld({});
  add(world, "void");
  drain(world);
  expect(lines(world, 1).slice(-2)).toEqual([
    "end: sent back: the branch b-void has no changes that are not on the target already",
    "end: `pawl merge-queue remove b-void` takes it off the list",
  ]);
});

describe("why an entry waits", () => {
  test("for an operator, who can look at what an agent changed", () => {
    const world = createWorld({ rules: { changesPolicy: () => true } });
    add(world, "gates", { run: runId("7.1"), issue: 7, branch: "pawl/7-gates" });
    drain(world);
    expect(lines(world, 1).slice(-3)).toEqual([
      "waiting: it changes pawl.toml: an operator must approve it",
      "waiting: `pawl diff 7` shows what it changes",
      "waiting: `pawl merge-queue approve e1` approves this version",
    ]);
  });

  test("for an operator, for another branch, for one it conflicts with", () => {
    const world = createWorld({
      rules: {
        changesPolicy: (item) => item === "gates",
        conflict: (a, b) => `${a}${b}` === "xy",
      },
    });
    add(world, "gates");
    add(world, "child", { after: ["b-parent"] });
    drain(world);
    send(world, { kind: "queue-paused", at: world.now, by: "op", why: "look" });
    expect(lines(world, 1).join()).toContain("an operator must approve it");
    expect(lines(world, 1).join()).toContain("`pawl merge-queue approve e1` approves this version");
    expect(lines(world, 1).join()).not.toContain("pawl diff");
    expect(lines(world, 2).join()).toContain("it lands after b-parent (not queued)");
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    add(world, "x");
    add(world, "y");
    expect(lines(world, 4).join()).toContain(
      "Pawl is looking for conflicts with the other entries",
    );
    runUntil(world, "land");
    expect(lines(world, 4).join()).toContain("it conflicts with entry 3 (b-x) in x-y.txt");
    drain(world);
    expect(lines(world, 4)).toContain("end: sent back: conflicts with the target in x-y.txt");
  });

  test("for a checkout, or for CI infrastructure that failed", () => {
    const world = createWorld({});
    world.nextLanding.push({ kind: "held", paths: ["f"], why: "edits in f" });
    add(world, "a");
    runUntil(world, "land");
    send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-a", why: "closed" });
    expect(lines(world, 1).join()).toContain("it was cancelled (closed)");
    const broken = createWorld({});
    broken.nextCheck.push("infra");
    add(broken, "a");
    carryOutNext(broken, "check-candidate");
    expect(lines(broken, 1).join()).toContain("the queue waits: the disk is full");
  });

  test("for a queue that is paused", () => {
    const world = createWorld({});
    send(world, { kind: "queue-paused", at: 1, by: "op", why: "look" });
    add(world, "a");
    const waiting = "the queue is paused: Pawl looks for conflicts when it resumes";
    expect(lines(world, 1)).toContain(`waiting: ${waiting}`);
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    expect(lines(world, 1).join()).not.toContain("paused");
  });

  test("for a target that is red", () => {
    const world = createWorld({ rules: { bad: (item) => item === "poison" } });
    pushForeign(world, "poison");
    add(world, "a");
    drain(world);
    expect(lines(world, 1).join()).toContain(
      "the queue stopped: the target itself fails its gates",
    );
  });
});
