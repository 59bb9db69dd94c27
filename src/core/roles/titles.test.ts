import { expect, test } from "vitest";
import { duplicates, isAlike, SAME_MIN, wordsOf } from "./titles.ts";

test.each([
  ["Fix the date parser", "fix: date-parser", true],
  ["Add a tool that shouts loudly", "Add a page that whispers quietly", false],
  ["Parser fails on empty dates in March", "The parser fails on empty dates", true],
  ["Docs", "Docs", true],
  ["Docs", "Docs for the parser", false],
  ["", "", false],
])("%j and %j", (a, b, expected) => {
  expect(isAlike(wordsOf(a), wordsOf(b))).toBe(expected);
});

test("pairs are told with the older issue first", () => {
  const issues = [
    { number: 9, title: "Fix the date parser" },
    { number: 4, title: "Fix date parser" },
    { number: 5, title: "Something else entirely" },
  ];
  expect(duplicates(issues)).toEqual([[4, 9]]);
});

test("a word apart is worth asking about, and no reason to refuse an issue", () => {
  const [a, b] = [wordsOf("Add a tool that counts words"), wordsOf("Add a tool that counts lines")];
  expect([isAlike(a, b), isAlike(a, b, SAME_MIN)]).toEqual([true, false]);
});
