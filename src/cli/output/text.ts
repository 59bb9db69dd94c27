// Words on a terminal: colours where they are seen, times as people say them, and nothing that
// could steer the terminal, because titles and comments may come from strangers.
import { stripVTControlCharacters, styleText } from "node:util";
import { formatRelative } from "../../lib/duration.ts";
import type { Deps } from "../deps.ts";

type Style = Parameters<typeof styleText>[0];

export const paint = (deps: Pick<Deps, "colour">, style: Style, text: string): string =>
  deps.colour ? styleText(style, text, { validateStream: false }) : text;

/** Control characters but newline and tab are taken out. */
export const harmless = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

/** "3 min ago" on a terminal, the instant itself in a pipe. */
export const when = (deps: Pick<Deps, "isTty" | "now">, iso: string): string =>
  deps.isTty ? formatRelative(Date.parse(iso), deps.now()) : iso;

/** "2 issues", "1 issue". */
export const count = (amount: number, one: string, many = `${one}s`): string =>
  `${amount} ${amount === 1 ? one : many}`;
