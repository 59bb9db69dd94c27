import { expect, test } from "vitest";
import { wrapLines } from "./wrap.ts";

test("a line that fits stays as it is, with its spaces", () => {
  expect(wrapLines("a  b   c\n  d", 20)).toBe("a  b   c\n  d");
});

test("a long line is broken between words and continues with a larger indent", () => {
  expect(wrapLines("  one two three four", 11)).toBe("  one two\n    three\n    four");
});

test("a command in backticks is not broken", () => {
  expect(wrapLines("start it with `pawl up` or not", 20)).toBe("start it with\n  `pawl up` or not");
  expect(wrapLines("it was removed (`git branch x` makes it)", 28)).toBe(
    "it was removed\n  (`git branch x` makes it)",
  );
});

test("a word that is wider than the terminal stays whole", () => {
  expect(wrapLines("see https://example.org/long now", 10)).toBe(
    "see\n  https://example.org/long\n  now",
  );
});

test("a coloured line continues with the indent that it is seen to have", () => {
  expect(wrapLines("\u001b[2m    one two three\u001b[0m", 12)).toBe(
    "\u001b[2m    one two\n      three\u001b[0m",
  );
});
