// Types a line into a pane. Check and keys are one tmux command, so that no other life can come
// between them. The text goes by a buffer: tmux's own words never contain it.
import { randomUUID } from "node:crypto";
import { assert } from "../../lib/assert.ts";
import type { ProcessId } from "../../ports/terminal.ts";
import { findProcess, judge } from "../shared/process-table.ts";
import { ask, failed } from "./tmux.ts";
import type { Tmux } from "./tmux.ts";

export type Typing = { pane: string; process: ProcessId; text: string };

export async function typeLine(tmux: Tmux, typing: Typing): Promise<"typed" | "gone"> {
  assert(/^%\d+$/.test(typing.pane), `a pane id, not ${typing.pane}`);
  const row = await findProcess(typing.process.pid);
  if (typeof row === "string" || judge(row, typing.process) !== "alive") return "gone";
  const buffer = `pawl-${randomUUID()}`;
  // The pane's process is the wrapper's parent; where that has died, the pane has too.
  const condition = `#{==:#{pane_pid},${row.parent}}`;
  const otherwise = `delete-buffer -b ${buffer} ; display-message -p gone`;
  const answer = await ask(tmux, {
    commands: [
      ["load-buffer", "-b", buffer, "-"],
      ["if-shell", "-F", "-t", typing.pane, condition, keys(typing.pane, buffer), otherwise],
    ],
    stdin: oneLine(typing.text),
  });
  if (answer.kind === "ok") return answer.stdout === "typed" ? "typed" : "gone";
  if (answer.kind === "refused") throw failed(`type into ${typing.pane}`, answer);
  return "gone";
}

/** Bracketed where the program asks for it. A pane that someone has scrolled would eat the Enter. */
const keys = (pane: string, buffer: string): string =>
  [
    `paste-buffer -d -p -r -b ${buffer} -t ${pane}`,
    `copy-mode -q -t ${pane}`,
    `send-keys -t ${pane} Enter`,
    "display-message -p typed",
  ].join(" ; ");

/** An escape sequence in the text could end the paste early and press keys of its own. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
}
