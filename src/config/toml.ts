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
    const problem = { file, line: error.line, key: "", message, excerpt: error.codeblock };
    return { kind: "invalid", problems: [problem] };
  }
}

/** The parser names the end of the line a control character: the string goes on into the next line. */
const isUnclosed = (text: string, { message, line, column }: TomlError): boolean =>
  message.includes("control characters are not allowed in strings") &&
  column > (text.split(/\r?\n/)[line - 1] ?? "").length;
