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
    const message = `not valid TOML at column ${error.column}: ${what}.`;
    const problem = { file, line: error.line, key: "", message, excerpt: error.codeblock };
    return { kind: "invalid", problems: [problem] };
  }
}
