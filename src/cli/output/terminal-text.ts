// What a program wrote, shown on a terminal that may be narrower than its own. Lines of output are
// shown as they are: the terminal itself breaks them, and a path in them can still be copied. Only a
// screen that a program drew for a wider terminal is laid out again.
import { cutToWidth } from "../../lib/text-width.ts";
import type { Deps } from "../deps.ts";
import { harmless } from "./text.ts";
import { wrapLines } from "./wrap.ts";

const HAS_WORD = /[\p{L}\d]/u;

export const programText = (deps: Pick<Deps, "isTty">, text: string): string =>
  deps.isTty ? harmless(text) : text;

/** Sentences are broken between words, frames and rules are cut. A pipe gets the text as it is. */
export function drawnText(deps: Pick<Deps, "isTty" | "columns">, text: string): string {
  if (!deps.isTty) return text;
  const lines = harmless(text).split("\n");
  const fitting = lines.map((line) =>
    HAS_WORD.test(line) ? line : cutToWidth(line, deps.columns),
  );
  return wrapLines(fitting.join("\n"), deps.columns);
}
