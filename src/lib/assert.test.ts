import { expect, test } from "vitest";
import { assert, AssertionError, unreachable } from "./assert.ts";

test("a true condition passes", () => {
  expect(() => assert(1 + 1 === 2, "arithmetic holds")).not.toThrow();
});

test("a false condition throws with the claim that does not hold", () => {
  expect(() => assert(false, "the queue is sorted")).toThrow(
    new AssertionError("assertion failed: the queue is sorted"),
  );
});

test("every falsy value is a false condition", () => {
  for (const value of [0, "", null, undefined, Number.NaN]) {
    expect(() => assert(value, "value is there")).toThrow(AssertionError);
  }
});

test("an unexpected member of a union is named in the error", () => {
  const value = { kind: "from-the-future" } as never;
  expect(() => unreachable(value)).toThrow('unexpected value {"kind":"from-the-future"}');
});

test("a value without JSON is still reported", () => {
  expect(() => unreachable(10n as never)).toThrow("unexpected value 10");
  expect(() => unreachable(undefined as never)).toThrow("unexpected value undefined");
});
