// What is wrong with a pawl.toml, as data and as the sentences a person reads. Every problem names
// the file, the line, the key and what to write instead. It decides nothing.

export type Problem = {
  file: string;
  /** Counted from 1. */
  line: number;
  /** The key with its tables, e.g. `agent.command`; empty for a file that is no TOML. */
  key: string;
  /** One or two sentences: what is wrong, then the fix. */
  message: string;
  /** The lines around a syntax error, with a mark under the column. */
  excerpt?: string;
};

export type KeyPath = readonly PropertyKey[];

/** `ci.gates[0].name`: as a person would say it. */
export function formatKey(path: KeyPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? String(part) : `.${String(part)}`;
  }
  return text;
}

/** One line each, in the order of the file, so that an editor can jump to them. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems
    .toSorted((a, b) => a.line - b.line)
    .map(({ file, line, message, excerpt }) => {
      const text = `${file}:${line}: ${message}`;
      return excerpt === undefined ? text : `${text}\n\n${indent(excerpt)}\n`;
    })
    .join("\n");
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `    ${line}`.trimEnd())
    .join("\n");
}
