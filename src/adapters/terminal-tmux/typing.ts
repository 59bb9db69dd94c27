// Types into a pane. Check and keys are one tmux command, so that no other life can come
// between them. The text goes by a buffer: tmux's own words never contain it.
import { randomUUID } from "node:crypto";
import { assert } from "../../lib/assert.ts";
import type { TypeRequest } from "../../ports/terminal.ts";
import { findProcess, judge } from "../shared/process-table.ts";
import { ask, failed } from "./tmux.ts";
import type { Tmux } from "./tmux.ts";

export async function typeInto(tmux: Tmux, typing: TypeRequest): Promise<"typed" | "gone"> {
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
      ["if-shell", "-F", "-t", typing.pane, condition, keys(typing, buffer), otherwise],
    ],
    stdin: textOf(typing),
  });
  if (answer.kind === "ok") return answer.stdout === "typed" ? "typed" : "gone";
  if (answer.kind === "refused") throw failed(`type into ${typing.pane}`, answer);
  return "gone";
}

/** Bracketed where the program asks for it. A pane that someone has scrolled would eat the Enter. */
function keys({ pane, text, as }: TypeRequest, buffer: string): string {
  const leaveCopyMode = `copy-mode -q -t ${pane}`;
  const typed =
    as === "key"
      ? [`delete-buffer -b ${buffer}`, leaveCopyMode, `send-keys -t ${pane} -l ${digit(text)}`]
      : [
          `paste-buffer -d -p -r -b ${buffer} -t ${pane}`,
          leaveCopyMode,
          `send-keys -t ${pane} Enter`,
        ];
  return [...typed, "display-message -p typed"].join(" ; ");
}

function digit(text: string): string {
  assert(/^\d$/.test(text), `one digit as a key, not ${JSON.stringify(text)}`);
  return text;
}

const textOf = ({ text, as }: TypeRequest): string =>
  as === "paste" ? allLines(text) : oneLine(text);

const allLines = (text: string): string => text.replaceAll(/(?!\n)\p{Cc}/gu, "").trim();

/** An escape sequence in the text could end the paste early and press keys of its own. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
}
