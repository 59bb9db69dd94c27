import { expect, test } from "vitest";
import fc from "fast-check";
import { compareKeys } from "./key-order.ts";

test.each([
  [
    ["10", "9", "2", "1"],
    ["1", "2", "9", "10"],
  ],
  [
    ["run:a/10.1", "run:a/2.10", "run:a/2.9"],
    ["run:a/2.9", "run:a/2.10", "run:a/10.1"],
  ],
  [
    ["b", "a10b", "a9c", "a"],
    ["a", "a9c", "a10b", "b"],
  ],
  [
    ["x1", "x", "1x", ""],
    ["", "1x", "x", "x1"],
  ],
  [
    ["90071992547409931", "90071992547409930"],
    ["90071992547409930", "90071992547409931"],
  ],
])("%j is listed as %j", (keys, sorted) => {
  expect(keys.toSorted(compareKeys)).toEqual(sorted);
});

test("two different keys are never equal, and their order does not depend on who asks", () => {
  const key = fc.string({ unit: fc.constantFrom("0", "1", "2", "a", "/", ".") });
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareKeys(a, b)) + Math.sign(compareKeys(b, a))).toBe(0);
      expect(compareKeys(a, b) === 0).toBe(a === b);
    }),
  );
});

test("the order is transitive", () => {
  const key = fc.string({ unit: fc.constantFrom("0", "1", "2", "a", "/", ".") });
  fc.assert(
    fc.property(key, key, key, (a, b, c) => {
      const sorted = [a, b, c].toSorted(compareKeys);
      expect(compareKeys(sorted[0] ?? "", sorted[2] ?? "")).toBeLessThanOrEqual(0);
    }),
  );
});
