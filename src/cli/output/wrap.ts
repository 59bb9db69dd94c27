// Sentences on a terminal, broken between words: a terminal breaks them inside one. What stands in
// backticks stays on one line, so that a command can be copied, and so does a link. What else is longer
// than the line is broken at its separators; a path only where a whole screen must fit.
import { stripVTControlCharacters } from "node:util";
import { textWidth } from "../../lib/text-width.ts";
import type { Deps } from "../deps.ts";

/**
 * A fence of several backticks is a word like any other: it has no end in its line. A number stays
 * with its unit, as in `(3 min ago)` and `0.5 MB`; a colour may stand before it.
 */
const WORD =
  // oxlint-disable-next-line no-control-regex
  /(\s*)([^\s`]*(?<!`)`(?!`)[^`\n]*`[^\s`]*|(?:\u001b\[\d+m)?\(?\d+(?:\.\d+)? (?:ms|s|min|h|days?|MB|GB)(?: \d+ (?:min|h|s))?(?: ago)?\b\S*|\S+)/g;

/** Each line that is too long continues below itself, indented a little more. For people only. */
export const wrapped = (deps: Pick<Deps, "isTty" | "columns">, text: string): string =>
  deps.isTty ? wrapLines(text, deps.columns, { isPathWhole: true }) : text;

/** The same for all that a command writes to stdout. */
export const inSentences = (deps: Deps): Deps => ({
  ...deps,
  stdout: (text) => deps.stdout(wrapped(deps, text)),
});

type Options = {
  /** The indent of the second and every further line. */
  below?: string;
  /** A path that is longer than the line gets one of its own, which the terminal may break. */
  isPathWhole?: boolean;
};

export const wrapLines = (text: string, columns: number, options: Options = {}): string =>
  text
    .split("\n")
    .map((line) => (textWidth(line) <= columns ? line : wrapLine(line, columns, options)))
    .join("\n");

/** Of what is seen: a colour may stand before it. */
const indentOf = (line: string): string => /^ */.exec(stripVTControlCharacters(line))?.[0] ?? "";

export function wrapLine(line: string, columns: number, options: Options = {}): string {
  const { below = `${indentOf(line)}  `, isPathWhole = false } = options;
  const lines: string[] = [];
  let current = /^ */.exec(line)?.[0] ?? "";
  const add = (space: string, piece: string): void => {
    const isFirst = current.trim() === "";
    const longer = isFirst ? `${current}${piece}` : `${current}${space}${piece}`;
    if (isFirst || textWidth(longer.trimEnd()) <= columns) {
      current = longer;
      return;
    }
    lines.push(current.trimEnd().replace(DANGLING, ""));
    current = space === " " && piece === SEPARATOR ? below : `${below}${piece}`;
  };
  for (const [, space = "", word = ""] of line.matchAll(WORD)) {
    const isWhole = isPathWhole && PATH.test(stripVTControlCharacters(word));
    const [first = "", ...rest] = isWhole ? [word] : piecesOf(word, columns - below.length);
    add(space, first);
    for (const piece of rest) add("", piece);
  }
  return [...lines, current].join("\n");
}

/** Between the parts of a summary; a break takes its place. */
const SEPARATOR = "·";
const DANGLING = /(?<=\S) ·$/;

/** After these a path or a command may be broken. */
const PIECE = /[^\s/_.,:=&?-]*[\s/_.,:=&?-]*/g;

/** An absolute path, perhaps in brackets or quotes. */
const PATH = /^[("']*~?\/[^\s/]+\//;

/** A word that fits no line, in parts; a link stays whole, because its parts could not be opened. */
const piecesOf = (word: string, room: number): string[] =>
  textWidth(word) <= room || word.includes("://")
    ? [word]
    : (word.match(PIECE) ?? []).filter((piece) => piece !== "");

// Help on a terminal: its texts are written in lines of their own length, and broken once, at the
// terminal's width. What an example does stays in its column.

/** Texts in the code are broken at 100 columns: a line of this length continues in the next one. */
const FULL_LINE = 80;
/** A narrower column of words is harder to read than a line that continues with a small indent. */
const NARROWEST = 24;

export const wrapHelp = (text: string, columns: number): string =>
  paragraphs(text.split("\n"))
    .map((line) => (textWidth(line) <= columns ? line : broken(line, columns)))
    .join("\n");

function paragraphs(lines: string[]): string[] {
  const joined: string[] = [];
  let last = "";
  for (const line of lines) {
    if (continues(last) && /^\S/.test(line)) joined.push(`${joined.pop() ?? ""} ${line}`);
    else joined.push(line);
    last = line;
  }
  return joined;
}

const continues = (line: string): boolean =>
  /^\S/.test(line) && (line.length > FULL_LINE || !/[.:]$/.test(line));

function broken(line: string, columns: number): string {
  if (!line.startsWith(" ")) return wrapLine(line, columns, { below: "" });
  const column = / {2,}/.exec(line.trimStart());
  const start = column === null ? columns : line.search(/\S/) + column.index + column[0].length;
  return columns - start < NARROWEST
    ? wrapLine(line, columns)
    : wrapLine(line, columns, { below: " ".repeat(start) });
}
