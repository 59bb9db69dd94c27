import { expect, test } from "vitest";
import { readScreen, showsPaste } from "./screen.ts";

const RULE = "─".repeat(40);
const screen = (...lines: string[]): string => lines.join("\n");
const FOOT = ["  work | ctx(0%) | 10:30:03", "  ⏵⏵ don't ask on (shift+tab to cycle)"];

test("an empty prompt box is free for every text above it", () => {
  const text = screen("❯ an old prompt", "● Done", "  1. a list", RULE, "❯ ", RULE, ...FOOT);
  expect(readScreen(text)).toEqual({ kind: "free" });
});

test("a box with a word in it, on any line, holds an unsent line", () => {
  const half = (line: string) => ({ kind: "half-typed", line });
  expect(readScreen(screen(RULE, "❯ half", RULE, ...FOOT))).toEqual(half("half"));
  expect(readScreen(screen(RULE, "❯ ", "  second", RULE, ...FOOT))).toEqual(half("second"));
});

test("the hint about queued messages is Claude Code's own, and the box is free", () => {
  const text = screen(RULE, "❯ Press up to edit queued messages", RULE, ...FOOT);
  expect(readScreen(text)).toEqual({ kind: "free" });
});

const FIVE_LINES = "Id: m1\nKind: notice\n\nline\nanother";

test.each([
  ["[Pasted text #1 +4 lines]", FIVE_LINES, true],
  ["[Pasted text #12 +4 lines]", FIVE_LINES, true],
  ["[Pasted text #1 +3 lines]", FIVE_LINES, false],
  ["[Pasted text #1]", "one long line", true],
  ["[Pasted text #1 +4 lines] and a word of a person", FIVE_LINES, false],
  ["Id: m1\n  Kind: no\n  tice", FIVE_LINES, true],
  ["half a thought", FIVE_LINES, false],
  ["Id: m1 Kind: [...Truncated text #1 +2 lines...] another", FIVE_LINES, true],
])("a box that shows %j holds the paste of %j: %s", (line, text, expected) => {
  expect(showsPaste({ line, text })).toBe(expected);
});

test("a permission dialog is one, with its choices", () => {
  const text = screen(
    RULE,
    " Bash command",
    " rm -rf nothing",
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. Yes, and don't ask again",
    "   3. No",
    "",
    " Esc to cancel · Tab to amend",
  );
  expect(readScreen(text)).toEqual({
    kind: "dialog",
    choices: ["Yes", "Yes, and don't ask again", "No"],
  });
});

test("a question with choices between two rules is no prompt box", () => {
  const text = screen(
    RULE,
    " ☐ Colour",
    "Which colour?",
    "❯ 1. Red",
    "     r",
    "  2. Blue",
    "  3. Type something.",
    RULE,
    "  4. Chat about this",
    "Enter to select",
  );
  expect(readScreen(text)).toMatchObject({ kind: "dialog" });
});

test("a screen without either is unknown", () => {
  expect(readScreen("Loading…")).toEqual({ kind: "unknown" });
  expect(readScreen("")).toEqual({ kind: "unknown" });
});
