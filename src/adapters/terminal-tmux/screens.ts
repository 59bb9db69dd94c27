// What many panes show, in one question: one tmux client for all of them, where one per pane would
// cost more than everything else that watching does.
import { randomUUID } from "node:crypto";
import { ask } from "./tmux.ts";
import type { Answer, Tmux } from "./tmux.ts";

/** Lines above the visible ones: a message may have scrolled away since the last look. */
const SCROLLED_LINES = 50;

export async function readScreens(
  tmux: Tmux,
  panes: string[],
): Promise<ReadonlyMap<string, string>> {
  const screens = new Map<string, string>();
  const known = panes.filter((pane) => /^%\d+$/.test(pane));
  if (known.length === 0) return screens;
  // Random, so that no screen can contain it.
  const rule = `pawl-${randomUUID()}`;
  // By number: tmux reads a `%` in a message as the beginning of a time.
  const commands = known.flatMap((pane, index) => [
    ["display-message", "-p", `${rule} ${index}`],
    ["capture-pane", "-p", "-t", pane, "-S", `-${SCROLLED_LINES}`],
  ]);
  for (const part of answered(await ask(tmux, { commands }), rule)) {
    const end = part.indexOf("\n");
    const pane = known[Number(part.slice(0, end))];
    if (pane !== undefined) screens.set(pane, part.slice(end + 1).trimEnd());
  }
  return screens;
}

/** A pane that is gone ends the question there; what was answered before it still counts. */
function answered(answer: Answer, rule: string): string[] {
  const parts = (text: string): string[] => text.split(`${rule} `).slice(1);
  if (answer.kind === "ok") return parts(answer.stdout);
  return answer.kind === "refused" ? parts(answer.partial ?? "").slice(0, -1) : [];
}
