// Words on a terminal: colours where they are seen, times as people say them, and nothing that
// could steer the terminal, because titles and comments may come from strangers.
import { stripVTControlCharacters, styleText } from "node:util";
import { relativeText } from "../../api/spans.ts";
import type { Deps } from "../deps.ts";

type Style = Parameters<typeof styleText>[0];

export const paint = (deps: Pick<Deps, "colour">, style: Style, text: string): string =>
  deps.colour ? styleText(style, text, { validateStream: false }) : text;

/** Control characters but newline and tab are taken out. */
export const harmless = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)/g;
// oxlint-disable-next-line no-control-regex
const BUT_ESCAPE = /[\u0000-\u0007\u007f-\u009f]/g;
/** Also what reorders a line, and what some readers of JSON take for the end of one. */
const IN_JSON = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * The last thing before text leaves the program: a pipe often ends at a terminal after all. A pipe
 * gets no control character but newline and tab; each is written out as `\x9b`. A terminal gets the
 * sequences that Pawl itself writes, and none of the single characters that mean the same.
 */
export const safeOutput = (text: string, { raw }: { raw: boolean }): string =>
  text.replaceAll(raw ? BUT_ESCAPE : CONTROL, (sign) => `\\x${hex(sign, 2)}`);

/** JSON in which control characters are written out; it means the same. */
export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replaceAll(IN_JSON, (sign) => `\\u${hex(sign, 4)}`)}\n`;

const hex = (sign: string, digits: number): string =>
  sign.charCodeAt(0).toString(16).padStart(digits, "0");

/** "3 min ago" on a terminal, the instant itself in a pipe. */
export const when = (deps: Pick<Deps, "isTty" | "now">, iso: string): string =>
  deps.isTty ? relativeText(Date.parse(iso), deps.now()) : iso;

/** "2 issues", "1 issue". */
export const count = (amount: number, one: string, many = `${one}s`): string =>
  `${amount} ${amount === 1 ? one : many}`;
