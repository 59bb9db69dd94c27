// One thing, shown whole: a title, a few facts, its text, and what was said about it. For pipes
// the facts are `name:<tab>value` lines, then `--`, then the texts as they are.
import type { Deps } from "../deps.ts";
import { formatTsv } from "../../lib/table.ts";
import { harmless, paint, when } from "./text.ts";

export type Fact = { name: string; value: string };
export type Said = { by: string; at: string; verb?: string; text: string };

export type Document = {
  title: string;
  /** Those without a value are left out for people, and kept empty for pipes. */
  facts: Fact[];
  text: string;
  said: Said[];
};

export function printDocument(deps: Deps, document: Document): void {
  deps.stdout(deps.isTty ? forPeople(deps, document) : forPipes(document));
}

function forPeople(deps: Deps, { title, facts, text, said }: Document): string {
  const known = facts.filter(({ value }) => value !== "");
  const widest = Math.max(0, ...known.map(({ name }) => name.length));
  const lines = [
    paint(deps, "bold", harmless(title)),
    ...known.map(({ name, value }) => {
      return `${paint(deps, "dim", name.padEnd(widest))}  ${harmless(value)}`;
    }),
    ...(text.trim() === "" ? [] : ["", harmless(text).trimEnd()]),
    ...said.flatMap(({ by, at, verb = "wrote", text: words }) => [
      "",
      paint(deps, "dim", `${harmless(by)} ${verb} ${when(deps, at)}:`),
      harmless(words).trimEnd(),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function forPipes({ title, facts, text, said }: Document): string {
  const rows = [{ name: "title", value: title }, ...facts];
  const lines = formatTsv(rows.map(({ name, value }) => [`${name}:`, value]));
  const parts = [
    text,
    ...said.map(({ by, at, verb = "wrote", text: words }) => `${by} ${verb} ${at}\n${words}`),
  ].filter((part) => part.trim() !== "");
  return `${lines}${parts.map((part) => `--\n${part.trimEnd()}\n`).join("")}`;
}
