import { expect, test } from "vitest";
import { jitterOf, nextOfEvery } from "./jitter.ts";

test("jitter depends on the name alone, stays below its bound, and differs between names", () => {
  const names = ["gardener", "supervisor", "planner", "predictor", "nightly"];
  const found = names.map((name) => jitterOf(name, 600_000));
  expect(found).toEqual(names.map((name) => jitterOf(name, 600_000)));
  expect(found.every((ms) => ms >= 0 && ms < 600_000)).toBe(true);
  expect(new Set(found).size).toBe(names.length);
  expect(jitterOf("gardener", 0)).toBe(0);
});

test("the next of every lies after, never at, the instant that was", () => {
  expect([nextOfEvery(100, 0), nextOfEvery(100, 99), nextOfEvery(100, 100)]).toEqual([
    100, 100, 200,
  ]);
});
