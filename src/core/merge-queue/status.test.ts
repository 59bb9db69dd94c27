import { expect, test } from "vitest";
import {
  add,
  carryOutNext,
  createWorld,
  drain,
  runUntil,
  send,
  standing,
} from "../../../test/support/queue-world.ts";
import { inLandingOrder } from "./status.ts";

test("an entry's status follows what happens to it", () => {
  const world = createWorld({ step: 2, rules: { bad: (item) => item === "b" } });
  send(world, { kind: "queue-paused", at: 1, by: "op", why: "filling up" });
  add(world, "a");
  add(world, "b");
  expect(standing(world)).toEqual(["a:queued", "b:queued"]);
  send(world, { kind: "queue-resumed", at: world.now, by: "op" });
  runUntil(world, "build-candidate");
  expect(standing(world)).toEqual(["a:building", "b:building"]);
  runUntil(world, "check-candidate");
  expect(standing(world)).toEqual(["a:testing", "b:testing"]);
  carryOutNext(world, "check-candidate");
  expect(standing(world)).toEqual(["a:narrowing", "b:narrowing"]);
  runUntil(world, "land");
  expect(standing(world)).toEqual(["a:landing", "b:narrowing"]);
  drain(world);
  expect(standing(world)).toEqual(["b:returned", "a:merged"]);
});

test("what passed but may not land yet is shown as passed", () => {
  const world = createWorld({});
  add(world, "a");
  runUntil(world, "check-candidate");
  send(world, { kind: "queue-paused", at: world.now, by: "op", why: "release" });
  carryOutNext(world, "check-candidate");
  expect(standing(world)).toEqual(["a:passed"]);
});

test("every entry has a place in the order", () => {
  const world = createWorld({});
  add(world, "a", { after: ["b-x"] });
  add(world, "b");
  expect(inLandingOrder(world.queue, world.now).entries.map((entry) => entry.id)).toEqual([1, 2]);
});
