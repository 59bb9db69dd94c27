// What Claude Code's screen shows, read only to decide that nothing may be typed. The prompt box is
// the last line that begins with ❯ between two rules; a dialog has numbered choices instead.
import type { Screen } from "../../ports/agent.ts";

const RULE = /^─{10,}/;
const CHOICE = /^\s*(?:❯\s*)?(\d)\.\s+(.*\S)\s*$/;

export function readScreen(text: string): Screen {
  const lines = text.trimEnd().split("\n");
  const bottom = lines.findLastIndex((line) => RULE.test(line));
  const top = lines.slice(0, Math.max(bottom, 0)).findLastIndex((line) => RULE.test(line));
  const box = top >= 0 && bottom > top ? lines.slice(top + 1, bottom) : [];
  if (isPromptBox(box)) return isEmpty(box) ? { kind: "free" } : { kind: "half-typed" };
  const choices = choicesIn(lines);
  return choices.length > 0 ? { kind: "dialog", choices } : { kind: "unknown" };
}

const isPromptBox = ([first = "", ...more]: string[]): boolean =>
  first.startsWith("❯") && !more.some((line) => CHOICE.test(line) && line.includes("❯"));

const isEmpty = (box: string[]): boolean => box.join("").replaceAll(/[❯\s]/g, "") === "";

/** The last list on the screen that counts from one; text above it may be anybody's. */
function choicesIn(lines: string[]): string[] {
  let choices: string[] = [];
  for (const line of lines) {
    const [, number, label] = CHOICE.exec(line) ?? [];
    if (number === undefined || label === undefined) continue;
    if (number === "1") choices = [label];
    else if (Number(number) === choices.length + 1) choices.push(label);
  }
  return choices;
}
