// What many panes show, in one question: one tmux client for all of them, where one per pane would
// cost more than everything else that watching does.
import { randomUUID } from "node:crypto";
import { ask } from "./tmux.ts";
import type { Answer, Tmux } from "./tmux.ts";

/** Lines above the visible ones: a message may have scrolled away since the last look. */
const SCROLLED_LINES = 50;
/** tmux takes at most 16 kB of commands at once, and those of one pane take about 100 bytes. */
const PANES_AT_ONCE = 100;

export async function readScreens(
  tmux: Tmux,
  panes: string[],
): Promise<ReadonlyMap<string, string>> {
  const screens = new Map<string, string>();
  const known = panes.filter((pane) => /^%\d+$/.test(pane));
  for (let at = 0; at < known.length; at += PANES_AT_ONCE) {
    await readInto(screens, tmux, known.slice(at, at + PANES_AT_ONCE));
  }
  return screens;
}

async function readInto(screens: Map<string, string>, tmux: Tmux, panes: string[]): Promise<void> {
  // Random, so that no screen can contain it.
  const rule = `pawl-${randomUUID()}`;
  // By number: tmux reads a `%` in a message as the beginning of a time.
  const commands = panes.flatMap((pane, index) => [
    ["display-message", "-p", `${rule} ${index}`],
    ["capture-pane", "-p", "-t", pane, "-S", `-${SCROLLED_LINES}`],
  ]);
  for (const part of answered(await ask(tmux, { commands }), rule)) {
    const end = part.indexOf("\n");
    const pane = panes[Number(part.slice(0, end))];
    if (pane !== undefined) screens.set(pane, part.slice(end + 1).trimEnd());
  }
}

/** A pane that is gone ends the question there; what was answered before it still counts. */
function answered(answer: Answer, rule: string): string[] {
  const parts = (text: string): string[] => text.split(`${rule} `).slice(1);
  if (answer.kind === "ok") return parts(answer.stdout);
  return answer.kind === "refused" ? parts(answer.partial ?? "").slice(0, -1) : [];
}
