import { expect, test } from "vitest";
import { choiceOf } from "./choice.ts";

const CHOICES = ["Yes", "Yes, always", "No"];

test.each<[string, string | undefined]>([
  ["1", "Yes"],
  ["yes", "Yes"],
  [" No ", "No"],
  ["n", "No"],
  ["yes, a", "Yes, always"],
  ["4", undefined],
  ["0", undefined],
  ["ye", undefined],
  ["maybe", undefined],
  ["", undefined],
])("%j means %s", (answer, choice) => {
  expect(choiceOf({ choices: CHOICES }, answer)).toBe(choice);
});

test("a question without choices takes any answer as it is", () => {
  expect(choiceOf({ choices: [] }, "Use the second form.")).toBe("Use the second form.");
});

test("a choice that is a number is meant by its text before its place", () => {
  expect(choiceOf({ choices: ["2", "1"] }, "1")).toBe("1");
});
