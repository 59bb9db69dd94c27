import { describe, expect, test } from "vitest";
import { commitId } from "../ids.ts";
import {
  add,
  createWorld,
  drain,
  pushForeign,
  runUntil,
  send,
  standing,
  type Rules,
  type World,
} from "../../../test/support/queue-world.ts";

test("a conflict inside a stack sends no entry back until it is a conflict with the target", () => {
  const world = createWorld({
    rules: { hidden: (a, b) => a === "a" && b === "b", bad: (item) => item === "a" },
  });
  add(world, "a");
  add(world, "b");
  drain(world);
  // a is red and goes back; b, which only conflicted with a, lands.
  expect(world.target).toEqual(["base", "b"]);
});

test("a conflict on top of what has landed goes back with its files, without a check", () => {
  const world = createWorld({ rules: { hidden: (a, b) => a === "a" && b === "b" } });
  add(world, "a");
  add(world, "b");
  drain(world);
  expect(world.checks).toEqual(["a+base"]);
  expect(world.queue.past.find((past) => past.branch === "b-b")?.end).toEqual({
    kind: "returned",
    reason: { kind: "conflict", files: ["a-b.txt"] },
  });
});

describe("a branch that adds nothing", () => {
  test("counts as merged where its content is on the target, also if another writer put it there", () => {
    const world = createWorld({});
    pushForeign(world, "a");
    add(world, "a");
    drain(world);
    expect(standing(world)).toEqual(["a:merged"]);
    expect(world.checks).toEqual([]);
  });

  test("goes back where it never had any: a branch without commits is not merged", () => {
    const world = createWorld({});
    add(world, "void");
    add(world, "b");
    drain(world);
    expect(standing(world)).toEqual(["b:merged", "void:returned"]);
  });
});

describe("a branch that changes the gates", () => {
  const rules = { changesPolicy: (item: string) => item === "gates" };

  test("waits for an operator, and the others do not wait for it", () => {
    const world = createWorld({ rules });
    add(world, "gates");
    add(world, "b");
    drain(world);
    expect(standing(world)).toEqual(["gates:waiting", "b:merged"]);
    send(world, {
      kind: "entry-approved",
      at: world.now,
      entry: 1,
      head: commitId("gates"),
      by: "op",
    });
    drain(world);
    expect(world.target).toEqual(["base", "b", "gates"]);
  });

  test("needs a new approval for new commits", () => {
    const world = createWorld({ rules: { changesPolicy: (item) => item.startsWith("gates") } });
    add(world, "gates");
    drain(world);
    const approved = { kind: "entry-approved", at: world.now, by: "op" } as const;
    send(world, { ...approved, entry: 1, head: commitId("other") });
    expect(world.queue.entries[0]?.approved).toBeUndefined();
    send(world, { ...approved, entry: 1, head: commitId("gates") });
    add(world, "gates2", { branch: "b-gates" });
    drain(world);
    expect(standing(world)).toEqual(["gates:waiting"]);
  });
});

test("the outcome of a build that was given up changes nothing", () => {
  const world = createWorld({});
  add(world, "a");
  const { effect } = runUntil(world, "build-candidate");
  if (effect.kind !== "build-candidate") throw new Error("no build");
  send(world, { kind: "entry-withdrawn", at: world.now, branch: "b-a", why: "closed" });
  const before = world.queue;
  const tips = [commitId("c:base+a")];
  send(world, {
    kind: "candidate-built",
    at: world.now,
    ref: effect.ref,
    tips,
    empty: [],
    changesPolicy: [],
  });
  expect(world.queue).toBe(before);
});

describe("with a resolver", () => {
  const together = (rules: Partial<Rules>): World => {
    const world = createWorld({ rules, step: 4 });
    world.policy = { ...world.policy, resolve: ["tool", "{file}"] };
    for (const name of ["a", "b", "c"]) add(world, name);
    drain(world);
    return world;
  };
  const all = (): boolean => true;
  const resolutionOf = ({ queue }: World, branch: string) =>
    queue.past.find((past) => past.branch === branch)?.resolved;

  test("conflicting entries are stacked, tested and landed together, and say who resolved them", () => {
    const world = together({ conflict: all, resolved: all });
    expect(world.target).toEqual(["base", "a", "b", "c"]);
    expect(resolutionOf(world, "b-b")).toEqual({ by: "tool", files: ["base-b.txt", "a-b.txt"] });
    expect(world.checks.at(-1)).toBe("a+b+base+c");
  });

  test("a resolved entry that is red goes back as a conflict with its files", () => {
    const isRed = (item: string): boolean => item === "b";
    const world = together({ conflict: all, resolved: all, bad: isRed });
    expect(world.target).toEqual(["base", "a", "c"]);
    expect(world.queue.past.find((past) => past.branch === "b-b")?.end).toEqual({
      kind: "returned",
      reason: {
        kind: "conflict",
        files: ["base-b.txt", "a-b.txt"],
        unresolved: "test fails with the conflict resolution of tool",
      },
    });
  });

  test("what it cannot put on the bare target goes back at once, also from on top of others", () => {
    const world = together({ conflict: (a, b) => a === "base" && b === "b" });
    expect(world.target).toEqual(["base", "a", "c"]);
    expect(world.queue.past.find((past) => past.branch === "b-b")?.end).toEqual({
      kind: "returned",
      reason: { kind: "conflict", files: ["base-b.txt"], unresolved: "marks are left" },
    });
    expect(world.checks).toEqual(["a+base+c"]);
  });

  test("two that it cannot put together are kept apart; when the first has landed, the other goes back", () => {
    const world = together({ conflict: (a, b) => a === "a" && b === "c" });
    expect(standing(world)).toEqual(["c:returned", "b:merged", "a:merged"]);
    expect(world.checks).toEqual(["a+b+base"]);
  });

  test("where the first of two turns out to be red, the other lands without its author", () => {
    const isRed = (item: string): boolean => item === "a";
    const world = together({ conflict: (a, b) => a === "a" && b === "c", bad: isRed });
    expect(standing(world)).toEqual(["c:merged", "b:merged", "a:returned"]);
  });
});
