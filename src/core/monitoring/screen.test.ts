import { expect, test } from "vitest";
import { activeTask, countTodos, waitEstimate, wordsOf } from "./screen.ts";

test("todos are those of the last list, however often it was drawn", () => {
  expect(countTodos("☐ a\n☐ b\nwork\n  ☒ a\n  ☐ b\n  ☐ c\nmore")).toEqual({ done: 1, total: 3 });
  expect(countTodos("none")).toEqual({ done: 0, total: 0 });
});

test("a spinner, a counter and a clock are no new words", () => {
  const before = "✻ Cogitating… (12s · 1.2k tokens)\nx | ctx(3%) | 10:00:00";
  const after = "✶ Cogitating… (75s · 13k tokens)\nx | ctx(4%) | 10:01:03";
  expect(wordsOf(after)).toBe(wordsOf(before));
  expect(wordsOf(`${after}\nFile written`)).not.toBe(wordsOf(before));
});

test("the label is the last line that tells of work, without its glyph", () => {
  expect(activeTask("Reading a\n✻ Running tests, lint, build\n> ")).toBe(
    "Running tests, lint, build",
  );
  expect(activeTask("")).toBe("");
});

test("the wait follows the label, then the todos", () => {
  expect(waitEstimate("Running tests", { done: 0, total: 0 })).toBe(120);
  expect([0, 1, 2, 3].map((done) => waitEstimate("", { done, total: 4 }))).toEqual([
    90, 75, 60, 30,
  ]);
  expect(waitEstimate("", { done: 0, total: 0 })).toBe(60);
});
