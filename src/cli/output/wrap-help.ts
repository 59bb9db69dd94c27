// Help on a terminal: its texts are written in lines of their own length, and broken once, at the
// terminal's width. What an example does stays in its column.
import { textWidth } from "../../lib/text-width.ts";
import { wrapLine } from "./wrap.ts";

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
  if (!line.startsWith(" ")) return wrapLine(line, columns, "");
  const column = / {2,}/.exec(line.trimStart());
  const start = column === null ? columns : line.search(/\S/) + column.index + column[0].length;
  return columns - start < NARROWEST
    ? wrapLine(line, columns)
    : wrapLine(line, columns, " ".repeat(start));
}
