// What Claude Code's screen shows, read to decide whether text may be typed and whether a paste has
// arrived. The prompt box is the last line that begins with ❯ between two rules; a dialog has
// numbered choices instead.
import type { Screen } from "../../ports/agent.ts";

const RULE = /^─{10,}/;
export const isRule = (line: string): boolean => RULE.test(line);
const CHOICE = /^\s*(?:❯\s*)?(\d)\.\s+(.*\S)\s*$/;
/** What the box shows instead of a long paste; `lines` are the line breaks in it. */
const PLACEHOLDER =
  /\[(?:\.{3})?(?:Pasted|Truncated) text #\d+(?: \+(?<lines>\d+) lines?)?(?:\.{3})?\]/;

/** Shown in the empty box while prompts wait for the running turn. */
const HINT = /^Press up to edit queued messages$/;

export function readScreen(text: string): Screen {
  const lines = text.trimEnd().split("\n");
  const bottom = lines.findLastIndex((line) => RULE.test(line));
  const top = lines.slice(0, Math.max(bottom, 0)).findLastIndex((line) => RULE.test(line));
  const box = top >= 0 && bottom > top ? lines.slice(top + 1, bottom) : [];
  if (isPromptBox(box)) {
    const line = box.join("\n").replace("❯", "").trim();
    return line === "" || HINT.test(line) ? { kind: "free" } : { kind: "half-typed", line };
  }
  const choices = choicesIn(lines);
  return choices.length > 0 ? { kind: "dialog", choices } : { kind: "unknown" };
}

/** A placeholder with as many lines as the text, or the text itself as far as the box shows it. */
export function showsPaste({ line, text }: { line: string; text: string }): boolean {
  const found = PLACEHOLDER.exec(line);
  if (found === null) return isPart(line, text);
  const around = line.replace(found[0], "\n").split("\n");
  const breaks = text.split("\n").length - 1;
  const isWhole = around.every((piece) => piece.trim() === "");
  return isWhole ? Number(found.groups?.["lines"] ?? 0) === breaks : isEach(around, text);
}

const isEach = (pieces: string[], text: string): boolean =>
  pieces.every((piece) => isPart(piece, text));

/** The box breaks lines where it likes, so that white space says nothing. */
const isPart = (piece: string, text: string): boolean => dense(text).includes(dense(piece));

export const dense = (text: string): string => text.replaceAll(/\s/g, "");

const isPromptBox = ([first = "", ...more]: string[]): boolean =>
  first.startsWith("❯") && !more.some((line) => CHOICE.test(line) && line.includes("❯"));

/** The last list on the screen that counts from one; text above it may be the model's. */
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
