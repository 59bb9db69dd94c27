// The queue's promises, each told as a small story in the model world (test/support/queue-world.ts).
import { describe, expect, test } from "vitest";
import {
  add,
  carryOutOne,
  createWorld,
  drain,
  pushForeign,
  runUntil,
  send,
  standing,
} from "../../../test/support/queue-world.ts";
import { emptyOutput } from "../effect.ts";
import { commitId, projectName } from "../ids.ts";
import { stepQueue } from "./step-queue.ts";

const addAll = (world: ReturnType<typeof createWorld>, names: string[]): void => {
  for (const name of names) add(world, name);
};
const checksOf = (world: ReturnType<typeof createWorld>, kind: string): number =>
  world.pending.filter((row) => row.obligation.effect.kind === kind).length;

test("a queue exists from its opening on", () => {
  const opened = { kind: "queue-opened", at: 0, project: projectName("p") } as const;
  expect(stepQueue(undefined, opened, emptyOutput())?.entries).toEqual([]);
  const paused = { kind: "queue-paused", at: 0, by: "a", why: "b" } as const;
  expect(stepQueue(undefined, paused, emptyOutput())).toBeUndefined();
});

test("an event that changes nothing leaves the very same queue", () => {
  const world = createWorld({});
  add(world, "a");
  const before = world.queue;
  send(world, { kind: "deadline-passed", at: world.now });
  send(world, { kind: "candidate-conflicted", at: world.now, ref: "99", index: 0, files: [] });
  expect(world.queue).toBe(before);
});

describe("the plain sequence: one lane, steps of one", () => {
  test("lands green branches one after the other, each checked on top of the last", () => {
    const world = createWorld({ step: 1 });
    addAll(world, ["a", "b", "c"]);
    drain(world);
    expect(world.checks).toEqual(["a+base", "a+b+base", "a+b+base+c"]);
    expect(world.target).toEqual(["base", "a", "b", "c"]);
    expect(world.signals).toEqual([
      "MERGE_READY b-a",
      "MERGE_READY b-b",
      "MERGE_READY b-c",
      "MERGE_COMPLETE b-a",
      "MERGE_COMPLETE b-b",
      "MERGE_COMPLETE b-c",
    ]);
  });

  test("two branches green alone and red together do not both land", () => {
    const world = createWorld({
      step: 1,
      rules: { clash: (a, b) => `${a}${b}` === "ab" },
    });
    addAll(world, ["a", "b", "c"]);
    drain(world);
    expect(world.target).toEqual(["base", "a", "c"]);
    expect(standing(world)).toEqual(["c:merged", "b:returned", "a:merged"]);
  });
});

describe("batches", () => {
  test("twenty green branches land in four gate runs while nothing is known of failures", () => {
    const world = createWorld({});
    send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
    addAll(
      world,
      Array.from({ length: 20 }, (_, index) => `w${index}`),
    );
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    drain(world);
    // 2, 4, 8 and the rest.
    expect(world.checks.length).toBe(4);
    expect(world.target.length).toBe(21);
  });

  test("twenty green branches land in one gate run once the queue knows that nearly all pass", () => {
    const world = createWorld({});
    pushAll(world, 100);
    drain(world);
    const before = world.checks.length;
    pushNames(
      world,
      Array.from({ length: 20 }, (_, index) => `later${index}`),
    );
    drain(world);
    expect(world.checks.length).toBe(before + 1);
  });

  test("a red batch does not prove the bare target before its first entry is suspected", () => {
    const late = createWorld({ step: 4, rules: { bad: (item) => item === "w3" } });
    pushAll(late, 4);
    drain(late);
    expect(late.checks).not.toContain("base");
    const first = createWorld({ step: 4, rules: { bad: (item) => item === "w0" } });
    pushAll(first, 4);
    drain(first);
    expect(first.checks.slice(0, 4)).toEqual(["base+w0+w1+w2+w3", "base+w0+w1", "base+w0", "base"]);
  });

  test("a red batch is halved: one bad of eight costs three more runs, and only it goes back", () => {
    const world = createWorld({ step: 8, rules: { bad: (item) => item === "w5" } });
    pushAll(world, 8);
    drain(world);
    // whole (red), 0-3 (green), 4-5 (red), 4 (green); then 6-7.
    expect(world.checks.length).toBe(5);
    expect(standing(world).filter((line) => line.endsWith("returned"))).toEqual(["w5:returned"]);
    expect(world.target).toEqual(["base", "w0", "w1", "w2", "w3", "w4", "w6", "w7"]);
  });

  test("the green part of a red batch lands while the rest is still being split", () => {
    const world = createWorld({ step: 8, rules: { bad: (item) => item === "w7" } });
    pushAll(world, 8);
    runUntil(world, "land");
    expect(checksOf(world, "check-candidate")).toBe(1);
    drain(world);
    expect(world.target.length).toBe(8);
  });

  test("a later prefix that passes clears an earlier one that failed", () => {
    // b fixes what a breaks: only together are they green.
    const world = createWorld({
      lanes: 2,
      step: 1,
      rules: { bad: (item, content) => item === "a" && !content.includes("b") },
    });
    pushNames(world, ["a", "b"]);
    drainLater(world, "a+base");
    expect(world.target).toEqual(["base", "a", "b"]);
  });

  function drainLater(world: ReturnType<typeof createWorld>, tree: string): void {
    runUntil(world, "check-candidate");
    const slow = world.pending.find(
      (row) =>
        row.obligation.effect.kind === "check-candidate" &&
        row.obligation.effect.commit === commitId(`c:${tree.split("+").toReversed().join("+")}`),
    );
    if (slow !== undefined) slow.due += 1_000;
    drain(world);
  }
});

function pushNames(world: ReturnType<typeof createWorld>, names: string[]): void {
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  addAll(world, names);
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
}

const pushAll = (world: ReturnType<typeof createWorld>, count: number): void =>
  pushNames(
    world,
    Array.from({ length: count }, (_, index) => `w${index}`),
  );

describe("lanes", () => {
  test("nested prefixes are checked side by side, each in a lane of its own", () => {
    const world = createWorld({ lanes: 3, step: 2 });
    pushAll(world, 6);
    runUntil(world, "check-candidate");
    const checks = world.pending.filter((row) => row.obligation.effect.kind === "check-candidate");
    expect(checks.length).toBe(3);
    expect(new Set(checks.map((row) => row.obligation.lane)).size).toBe(3);
  });

  test("what is behind a red prefix, or below a green one, is cancelled", () => {
    const world = createWorld({ lanes: 3, step: 2, rules: { bad: (item) => item === "w2" } });
    pushAll(world, 6);
    runUntil(world, "check-candidate");
    carryOutOne(world); // w0-w1 are green
    carryOutOne(world); // w2-w3 are red: the third prefix is of no interest any more
    const commits = world.pending.flatMap(({ obligation: { effect } }) =>
      effect.kind === "check-candidate" ? [effect.commit] : [],
    );
    // The spare lane runs what was red once more.
    expect(commits).toEqual(["c:base+w0+w1+w2", "c:base+w0+w1+w2+w3"]);
    drain(world);
    expect(world.target).toEqual(["base", "w0", "w1", "w3", "w4", "w5"]);
  });

  test("lanes are shared out evenly where the queue is short", () => {
    const world = createWorld({ lanes: 4, step: 16 });
    pushAll(world, 8);
    runUntil(world, "check-candidate");
    expect(checksOf(world, "check-candidate")).toBe(4);
  });
});

describe("a red target", () => {
  const broken = {
    bad: (item: string, content: string[]) => item === "poison" && !content.includes("cure"),
  };

  test("blames no entry: the queue stops, says so, and continues when the target moves", () => {
    const world = createWorld({ rules: broken });
    pushForeign(world, "poison");
    addAll(world, ["a", "b"]);
    drain(world);
    expect(world.queue.stop?.kind).toBe("red-target");
    expect(world.notices.join()).toContain("the target itself fails its gates");
    expect(world.queue.past).toEqual([]);
    pushForeign(world, "cure");
    drain(world);
    expect(world.target).toEqual(["base", "poison", "cure", "a", "b"]);
  });

  test("is fixed through the queue: an entry that makes it green lands", () => {
    const world = createWorld({ rules: broken });
    pushForeign(world, "poison");
    add(world, "a");
    drain(world);
    expect(world.queue.stop?.kind).toBe("red-target");
    add(world, "cure", { priority: 1 });
    drain(world);
    expect(world.target).toEqual(["base", "poison", "cure", "a"]);
  });
});

describe("freezing", () => {
  test("a paused queue starts nothing and lands nothing; what is under way is not lost", () => {
    const world = createWorld({});
    add(world, "a");
    runUntil(world, "check-candidate");
    send(world, { kind: "queue-paused", at: world.now, by: "op", why: "release" });
    drain(world);
    expect(world.target).toEqual(["base"]);
    expect(world.checks.length).toBe(1);
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    drain(world);
    expect(world.target).toEqual(["base", "a"]);
    expect(world.checks.length).toBe(1);
  });
});

test("an idle queue asks for nothing, however long it waits", () => {
  const world = createWorld({});
  add(world, "a");
  drain(world);
  send(world, { kind: "deadline-passed", at: world.now + 1_000_000 });
  send(world, { kind: "target-observed", at: world.now, target: commitId("elsewhere") });
  expect(world.pending).toEqual([]);
});
