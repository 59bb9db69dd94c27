// Types into a pane. Check and keys are one tmux command, so that no other life can come
// between them. The text goes by a buffer: tmux's own words never contain it.
import { randomUUID } from "node:crypto";
import { assert } from "../../lib/assert.ts";
import type { TypeRequest } from "../../ports/terminal.ts";
import { PASTED_OPTION } from "./panes.ts";
import { findProcess, judge } from "../shared/process-table.ts";
import { ask, failed } from "./tmux.ts";
import type { Tmux } from "./tmux.ts";

/**
 * A busy program shows a paste late. The same one again within this time would be a second one, which
 * stays in the prompt box when the first one was sent, and no other message can be typed then.
 */
const PASTE_AGAIN_MS = 60_000;
const PASTED_AT_OPTION = "@pawl_pasted_at";

/** A command of tmux is at most 16 kB long, and a byte takes three. */
const RAW_MAX_BYTES = 4096;

export async function typeInto(tmux: Tmux, typing: TypeRequest): Promise<"typed" | "gone"> {
  assert(/^%\d+$/.test(typing.pane), `a pane id, not ${typing.pane}`);
  const row = await findProcess(typing.process.pid);
  if (typeof row === "string" || judge(row, typing.process) !== "alive") return "gone";
  if (typing.as === "paste" && (await isPasted(tmux, typing))) return "typed";
  const buffer = `pawl-${randomUUID()}`;
  // The pane's process is the wrapper's parent; where that has died, the pane has too.
  const condition = `#{==:#{pane_pid},${row.parent}}`;
  const otherwise = `delete-buffer -b ${buffer} ; display-message -p gone`;
  const answer = await ask(tmux, {
    commands: [
      ["load-buffer", "-b", buffer, "-"],
      ["if-shell", "-F", "-t", typing.pane, condition, keys(typing, buffer), otherwise],
    ],
    stdin: textOf(typing),
  });
  if (answer.kind === "ok") return answer.stdout === "typed" ? "typed" : "gone";
  if (answer.kind === "refused") throw failed(`type into ${typing.pane}`, answer);
  return "gone";
}

async function isPasted(tmux: Tmux, { pane, mark }: TypeRequest): Promise<boolean> {
  if (mark === undefined) return false;
  const words = `#{${PASTED_OPTION}} #{${PASTED_AT_OPTION}}`;
  const answer = await ask(tmux, { commands: [["display-message", "-p", "-t", pane, words]] });
  if (answer.kind !== "ok") return false;
  const [last, at] = answer.stdout.trim().split(" ");
  const age = Date.now() - Number(at);
  // Negative after the clock was set back: a paste that was lost would not be repeated for as long.
  return last === mark && age >= 0 && age < PASTE_AGAIN_MS;
}

/** Bracketed if the program asks for it. Copy mode is left first: a scrolled pane swallows keys. */
function keys(typing: TypeRequest, buffer: string): string {
  const leaveCopyMode = `copy-mode -q -t ${typing.pane}`;
  return [leaveCopyMode, ...pressed(typing, buffer), "display-message -p typed"].join(" ; ");
}

function pressed({ pane, text, as, mark }: TypeRequest, buffer: string): string[] {
  const paste = `paste-buffer -d -p -r -b ${buffer} -t ${pane}`;
  const discard = `delete-buffer -b ${buffer}`;
  const enter = `send-keys -t ${pane} Enter`;
  switch (as) {
    case "key":
      return [discard, `send-keys -t ${pane} -l ${digit(text)}`];
    case "enter":
      return [discard, enter];
    case "raw":
      return [discard, `send-keys -t ${pane} -H ${bytesOf(text)}`];
    case "paste":
      return [
        `set-option -p -t ${pane} ${PASTED_OPTION} ${word(mark ?? "none")}`,
        `set-option -p -t ${pane} ${PASTED_AT_OPTION} ${Date.now()}`,
        paste,
      ];
    default:
      return [paste, enter];
  }
}

function word(mark: string): string {
  assert(/^[\w.-]+$/.test(mark), `a mark of plain characters, not ${JSON.stringify(mark)}`);
  return mark;
}

function digit(text: string): string {
  assert(/^\d$/.test(text), `one digit as a key, not ${JSON.stringify(text)}`);
  return text;
}

/** By their numbers: tmux's own words never contain the text. */
function bytesOf(text: string): string {
  const bytes = Buffer.from(text);
  assert(bytes.length > 0 && bytes.length <= RAW_MAX_BYTES, "keys that fit into one command");
  return [...bytes].map((byte) => byte.toString(16)).join(" ");
}

function textOf({ text, as }: TypeRequest): string {
  // tmux makes no buffer of an empty text.
  if (as === "enter" || as === "raw") return "keys";
  return as === "paste" ? allLines(text) : oneLine(text);
}

const allLines = (text: string): string => text.replaceAll(/(?!\n)\p{Cc}/gu, "").trim();

/** An escape sequence in the text could end the paste early and press keys of its own. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
}
