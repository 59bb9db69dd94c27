// A difference as people see it: coloured on a terminal, untouched in a pipe.
import type { Deps } from "../deps.ts";
import { harmless, paint } from "./text.ts";

export function paintDiff(deps: Pick<Deps, "isTty" | "colour">, text: string): string {
  const shown = deps.isTty ? coloured(deps, harmless(text)) : text;
  return `${shown}\n`.replace(/\n+$/, "\n");
}

const coloured = (deps: Pick<Deps, "colour">, diff: string): string =>
  diff
    .split("\n")
    .map((line) => {
      if (/^(?:diff|index|---|\+\+\+) /.test(line)) return paint(deps, "bold", line);
      if (line.startsWith("@@")) return paint(deps, "cyan", line);
      if (line.startsWith("+")) return paint(deps, "green", line);
      return line.startsWith("-") ? paint(deps, "red", line) : line;
    })
    .join("\n");
