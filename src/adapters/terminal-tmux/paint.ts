// What a pane shows, with colours and cursor, so that a terminal elsewhere can show the same and go on
// from there with the pane's log. Asking leaves the pane as it is: no client is attached.
import { randomUUID } from "node:crypto";
import { assert } from "../../lib/assert.ts";
import type { Painted } from "../../ports/terminal.ts";
import { ask, type Tmux } from "./tmux.ts";

/** A person who looks on sees this much of what scrolled away. */
const SCROLLED_LINES = 200;

const FACTS = [
  "pane_width",
  "pane_height",
  "cursor_x",
  "cursor_y",
  "history_size",
  "alternate_on",
  "cursor_flag",
  "keypad_cursor_flag",
]
  .map((name) => `#{${name}}`)
  .join(" ");

export async function paintPane(tmux: Tmux, pane: string): Promise<Painted | "unknown"> {
  assert(/^%\d+$/.test(pane), `a pane id, not ${pane}`);
  // Random, so that no screen can contain it.
  const rule = `pawl-${randomUUID()}`;
  const answer = await ask(tmux, {
    commands: [
      ["display-message", "-p", "-t", pane, FACTS],
      ["display-message", "-p", rule],
      ["capture-pane", "-p", "-e", "-t", pane, "-S", `-${SCROLLED_LINES}`, "-E", "-1"],
      ["display-message", "-p", rule],
      ["capture-pane", "-p", "-e", "-t", pane, "-S", "0"],
    ],
  });
  if (answer.kind !== "ok") return "unknown";
  const [facts = "", scrolled = "", shown = ""] = answer.stdout.split(
    new RegExp(`^${rule}\\n?`, "m"),
  );
  return painted(facts, { scrolled, shown });
}

/** Of lines that end, with those that are missing at the end because they are empty. */
export function painted(
  facts: string,
  { scrolled, shown }: { scrolled: string; shown: string },
): Painted {
  const [columns = 0, rows = 0, x = 0, y = 0, history = 0, isAlternate, hasCursor, isKeypad] = facts
    .trim()
    .split(" ")
    .map(Number);
  const screen = linesOf(shown).slice(0, rows);
  // Without history tmux repeats the first line of the screen.
  const before = isAlternate === 1 || history === 0 ? [] : linesOf(scrolled);
  const empty = Array.from({ length: rows - screen.length }, () => "");
  const text = [
    isAlternate === 1 ? "\u001b[?1049h" : "",
    "\u001b[m",
    [...before, ...screen, ...empty].join("\r\n"),
    `\u001b[m\u001b[${y + 1};${x + 1}H`,
    hasCursor === 0 ? "\u001b[?25l" : "",
    isKeypad === 1 ? "\u001b[?1h" : "",
  ].join("");
  return { size: { columns, rows }, text };
}

const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");
