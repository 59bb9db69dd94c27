import { expect, test } from "vitest";
import { readScreen } from "./screen.ts";

const RULE = "─".repeat(40);
const screen = (...lines: string[]): string => lines.join("\n");
const FOOT = ["  work | ctx(0%) | 10:30:03", "  ⏵⏵ don't ask on (shift+tab to cycle)"];

test("an empty prompt box is free, whatever stands above it", () => {
  const text = screen("❯ an old prompt", "● Done", "  1. a list", RULE, "❯ ", RULE, ...FOOT);
  expect(readScreen(text)).toEqual({ kind: "free" });
});

test("a box with a word in it, on any line, belongs to whoever types there", () => {
  expect(readScreen(screen(RULE, "❯ half", RULE, ...FOOT))).toEqual({ kind: "half-typed" });
  expect(readScreen(screen(RULE, "❯ ", "  second", RULE, ...FOOT))).toEqual({ kind: "half-typed" });
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
