// The text of a TOML file in, its tables or the one problem of its syntax out. Pure.
import { parse, TomlError } from "smol-toml";
import type { Problem } from "./problem.ts";

export type Document =
  | { kind: "document"; root: Record<string, unknown> }
  | { kind: "invalid"; problems: Problem[] };

/** `file` is only for messages. */
export function parseToml(text: string, file: string): Document {
  try {
    return { kind: "document", root: parse(text.replace(/^\uFEFF/, "")) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
    const message = `not valid TOML at column ${error.column}: ${what}${isUnclosed(text, error) ? "; is the closing quote missing?" : "."}`;
    const excerpt = shortened(error);
    const problem = { file, line: error.line, key: "", message, excerpt };
    return { kind: "invalid", problems: [problem] };
  }
}

/** The parser names the end of the line a control character: the string goes on into the next line. */
const isUnclosed = (text: string, { message, line, column }: TomlError): boolean =>
  message.includes("control characters are not allowed in strings") &&
  column > (text.split(/\r?\n/)[line - 1] ?? "").length;

/** With its number and the indent of a problem, a line of this length fits 80 columns. */
const LINE_MAX = 68;

/** The quoted lines around the column: a terminal would break a long one, and move the mark. */
function shortened({ codeblock, column }: TomlError): string {
  const start = column <= LINE_MAX - 1 ? 0 : column - Math.ceil(LINE_MAX / 2);
  return codeblock
    .split("\n")
    .map((line) => {
      const mark = /^ +\^/.exec(line);
      if (mark !== null) return line.slice(start);
      const [number = ""] = /^ *\d+: {2}/.exec(line) ?? [];
      return `${number}${around(line.slice(number.length), start)}`;
    })
    .join("\n");
}

function around(text: string, start: number): string {
  const isCut = text.length - start > LINE_MAX;
  const shown = isCut ? `${text.slice(start, start + LINE_MAX - 1)}…` : text.slice(start);
  return start > 0 && shown !== "" ? `…${shown.slice(1)}` : shown;
}
