// One thing, shown whole: a title, a few facts, its text, and what was said about it. For pipes
// the facts are `name:<tab>value` lines, then `--`, then the texts as they are.
import type { Deps } from "../deps.ts";
import { formatTsv } from "../../lib/table.ts";
import { drawnText } from "./terminal-text.ts";
import { harmless, paint, when } from "./text.ts";
import { wrapped } from "./wrap.ts";

export type Fact = { name: string; value: string };
export type Said = { by: string; at: string; verb?: string; text: string };

export type Document = {
  title: string;
  /** Those without a value are left out for people, and kept empty for pipes. */
  facts: Fact[];
  text: string;
  /** The text is a terminal's or a program's: its blocks of code are none. */
  isVerbatim?: true;
  said: Said[];
};

export function printDocument(deps: Deps, document: Document): void {
  deps.stdout(deps.isTty ? forPeople(deps, document) : forPipes(document));
}

function forPeople(deps: Deps, { title, facts, text, isVerbatim, said }: Document): string {
  const known = facts.filter(({ value }) => value !== "");
  const widest = Math.max(0, ...known.map(({ name }) => name.length));
  const lines = [
    wrapped(deps, paint(deps, "bold", harmless(title))),
    ...known.map(({ name, value }) => {
      const start = `${paint(deps, "dim", name.padEnd(widest))}  `;
      return `${start}${besideName(deps, harmless(value), widest + 2)}`;
    }),
    ...(text.trim() === ""
      ? []
      : ["", isVerbatim === true ? drawnText(deps, text.trimEnd()) : prose(deps, text)]),
    ...said.flatMap(({ by, at, verb = "wrote", text: words }) => [
      "",
      paint(deps, "dim", `${harmless(by)} ${verb} ${when(deps, at)}:`),
      prose(deps, words),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

const plain = (text: string): string => harmless(text).trimEnd();

/** What people wrote is broken between words; a block of code can still be copied. */
const prose = (deps: Deps, text: string): string =>
  plain(text)
    .split(/^((?<fence>`{3,})[^`\n]*\n[\s\S]*?^\k<fence>`*$)/m)
    // The fence is a part of its own, after its block.
    .filter((_, index) => index % 3 !== 2)
    .map((part, index) => (index % 2 === 1 ? quoted(deps, part) : wrapped(deps, part)))
    .join("");

/** A block around other blocks quotes a text: only the code in it stays as it is. */
function quoted(deps: Deps, block: string): string {
  const [first = "", ...rest] = block.split("\n");
  const inside = rest.slice(0, -1).join("\n");
  if (!/^```/m.test(inside)) return block;
  return [first, prose(deps, inside), rest.at(-1)].join("\n");
}

/** A long value goes on below itself, not below its name. */
const besideName = (deps: Deps, value: string, start: number): string =>
  wrapped({ ...deps, columns: Math.max(20, deps.columns - start) }, value)
    .split("\n")
    .map((line, index) => (index === 0 ? line : `${" ".repeat(start)}${line.trimStart()}`))
    .join("\n");

function forPipes({ title, facts, text, said }: Document): string {
  const rows = [{ name: "title", value: title }, ...facts];
  const lines = formatTsv(rows.map(({ name, value }) => [`${name}:`, value]));
  const parts = [
    text,
    ...said.map(({ by, at, verb = "wrote", text: words }) => `${by} ${verb} ${at}\n${words}`),
  ].filter((part) => part.trim() !== "");
  return `${lines}${parts.map((part) => `--\n${part.trimEnd()}\n`).join("")}`;
}
