import { expect, test } from "vitest";
import { red } from "../../test/support/outcomes.ts";
import { firstFailure } from "./check.ts";

test("the first gate that did not pass made the check red", () => {
  const [failure] = red().results;
  const green = { ...failure!, gate: "lint", passed: true };
  const later = { ...failure!, gate: "build" };
  expect(firstFailure([green, failure!, later])?.gate).toBe("test");
});

test("a check without a red gate has no failure", () => {
  expect(firstFailure([])).toBeUndefined();
});
