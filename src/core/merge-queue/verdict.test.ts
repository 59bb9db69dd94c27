import { expect, test } from "vitest";
import { treeId } from "../ids.ts";
import {
  add,
  createWorld,
  drain,
  failed,
  runUntil,
  send,
  standing,
} from "../../../test/support/queue-world.ts";

test("a flake is recorded and evicts no entry", () => {
  const world = createWorld({});
  world.nextCheck.push("flaky");
  add(world, "a");
  drain(world);
  expect(standing(world)).toEqual(["a:merged"]);
  expect(world.queue.records[0]).toMatchObject({ kind: "checked", result: "passed", flaky: true });
});

test("the outcome of an abandoned check changes nothing", () => {
  const world = createWorld({});
  add(world, "a");
  const { effect } = runUntil(world, "check-candidate");
  if (effect.kind !== "check-candidate") throw new Error("no check");
  add(world, "a2", { branch: "b-a" });
  const before = world.queue;
  send(world, { kind: "candidate-checked", at: world.now, ref: effect.ref, outcome: failed("t") });
  expect(world.queue).toBe(before);
});

test("what was tested is kept as evidence: which entries, which tree, which gate", () => {
  const world = createWorld({ rules: { bad: (item) => item === "a" } });
  add(world, "a");
  drain(world);
  expect(world.queue.records).toMatchObject([
    { kind: "checked", entries: [1], result: "failed", tree: treeId("a+base"), detail: "test" },
    { kind: "checked", entries: [], result: "passed", tree: treeId("base") },
    { kind: "checked", entries: [1], result: "failed", tree: treeId("a+base"), detail: "test" },
  ]);
});

test("a batch that failed by a flake is split, and no entry is blamed", () => {
  const world = createWorld({ step: 4 });
  for (const name of ["a", "b", "c", "d"]) add(world, name);
  world.nextCheck = ["red"];
  drain(world);
  expect(world.target.toSorted()).toEqual(["a", "b", "base", "c", "d"]);
  expect(world.told).toEqual([]);
  expect(world.queue.past.every((entry) => entry.end.kind === "merged")).toBe(true);
  const flakes = world.queue.records.filter((fact) => fact.kind === "checked" && fact.flaky);
  expect(flakes).toHaveLength(1);
  expect(world.confirmed).toEqual(["a+b+base+c+d"]);
});

test("no entry is blamed before the same tree has failed twice", () => {
  const world = createWorld({ rules: { bad: (item) => item === "b" } });
  add(world, "a");
  add(world, "b");
  drain(world);
  expect(world.confirmed).toEqual(["a+b+base"]);
  expect(world.queue.past).toMatchObject([{ branch: "b-a" }, { end: { kind: "returned" } }]);
});
