import { expect, test } from "vitest";
import { costOf } from "./prices.ts";

const tokens = { input: 1_000_000, output: 100_000, cacheRead: 0, cacheWrite: 0 };

test("a model costs what the longest known beginning of its name costs", () => {
  expect(costOf("claude-opus-4-1-20250805", tokens)).toBe(22.5);
  expect(costOf("claude-opus-4-5-20251101", tokens)).toBe(7.5);
  expect(costOf("gpt-6.1-sol-2026-09-29", tokens)).toBe(3);
  expect(costOf("unheard-of", tokens)).toBeUndefined();
});

test("a version is written with a dot or a dash", () => {
  expect(costOf("claude-opus-4.5", tokens)).toBe(7.5);
  expect(costOf("gpt-5-4-mini", tokens)).toBeCloseTo(1.2);
});

test("the user's own prices come first", () => {
  const own = { claude: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 } };
  expect(costOf("claude-opus-4-5", tokens, own)).toBe(1);
});
