import { expect, test } from "vitest";
import { isNestedTooDeep } from "./nesting.ts";

const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test("a text that is nested deeper than a hundred levels is found, however it is written", () => {
  expect(isNestedTooDeep(deep(100))).toBe(false);
  expect(isNestedTooDeep(deep(101))).toBe(true);
  expect(isNestedTooDeep(`{"a":${'{"a":'.repeat(100)}`)).toBe(true);
});

test("brackets inside texts, and one after the other, do not count", () => {
  expect(isNestedTooDeep(JSON.stringify({ text: `"\\${deep(500)}` }))).toBe(false);
  expect(isNestedTooDeep("[]".repeat(500))).toBe(false);
});
