import { describe, expect, test } from "vitest";
import {
  add,
  createWorld,
  drain,
  pushForeign,
  runUntil,
  send,
  standing,
} from "../../../test/support/queue-world.ts";
import { runId } from "../ids.ts";
import { isAtWork, queueRows, queueStatus } from "./view.ts";

test("a row has the fields of the seed under their names, and can be written as JSON", () => {
  const world = createWorld({});
  add(world, "a", { run: runId("42.1"), identity: "dev-42", issue: 42, pr: 7, node: "impl" });
  const [row] = queueRows(world.queue, world.now);
  expect(row).toMatchObject({
    id: 1,
    position: 1,
    identity_name: "dev-42",
    branch: "b-a",
    pr_number: 7,
    bead_id: "42",
    node_id: "impl",
    status: "queued",
    attempts: 1,
  });
  expect(JSON.parse(JSON.stringify(row))).toEqual(row);
  expect(row?.requested_at).toMatch(/^1970-01-01T/);
});

test("an entry sent back stays listed with status, reason and files", () => {
  const world = createWorld({ rules: { conflict: (a, b) => a === "f" && b === "a" } });
  pushForeign(world, "f");
  add(world, "a");
  drain(world);
  expect(queueRows(world.queue, world.now)).toMatchObject([
    {
      branch: "b-a",
      position: null,
      status: "returned",
      reason: "conflicts with the target in f-a.txt",
      conflict_files: ["f-a.txt"],
      evidence: [{ kind: "conflicted", entries: [1] }],
    },
  ]);
});

test("it stays listed however much lands after it", () => {
  const world = createWorld({ rules: { bad: (item) => item === "a" } });
  add(world, "a");
  for (let count = 0; count < 80; count += 1) add(world, `w${count}`);
  drain(world);
  expect(standing(world)).toContain("a:returned");
  expect(world.queue.past.length).toBe(51);
});

test("rows are in landing order: stacked, chosen, then those that wait", () => {
  const world = createWorld({ step: 2 });
  add(world, "child", { after: ["b-elsewhere"] });
  for (const name of ["a", "b", "c"]) add(world, name);
  runUntil(world, "land");
  expect(standing(world).map((line) => line.split(":")[0])).toEqual(["a", "b", "c", "child"]);
});

describe("the status of the queue", () => {
  test("says what it does and why it does nothing", () => {
    const world = createWorld({});
    expect(queueStatus(world.queue, 0)).toMatchObject({ state: "idle", queued: 0, step: null });
    add(world, "a");
    expect(queueStatus(world.queue, world.now).state).toBe("working");
    send(world, { kind: "queue-paused", at: world.now, by: "op", why: "release" });
    expect(queueStatus(world.queue, world.now)).toMatchObject({ state: "paused", why: "release" });
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    drain(world);
    expect(queueStatus(world.queue, world.now)).toMatchObject({
      state: "idle",
      target: "c:base+a",
      target_proof: "green",
      lanes: 1,
      step: 4,
    });
    expect(isAtWork(world.queue)).toBe(false);
  });

  test("is stopped with why and hint", () => {
    const world = createWorld({});
    world.nextLanding.push({ kind: "rejected", why: "protected", hint: "allow it" });
    add(world, "a");
    drain(world);
    expect(queueStatus(world.queue, world.now)).toMatchObject({
      state: "stopped",
      hint: "allow it",
    });
  });

  test("is waiting where everything that is left waits for someone", () => {
    const world = createWorld({ rules: { changesPolicy: () => true } });
    add(world, "gates");
    drain(world);
    expect(queueStatus(world.queue, world.now).state).toBe("waiting");
  });
});
