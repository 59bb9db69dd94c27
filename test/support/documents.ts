// The Markdown documents as steps that a reader would take: commands to type, files to write, and
// output to expect.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

export type Step =
  | { kind: "type"; line: number; commands: string[] }
  | { kind: "write"; line: number; name: string; text: string }
  | { kind: "expect"; line: number; lines: string[] }
  | { kind: "leave"; line: number; reason: string };

export type Document = { path: string; steps: Step[] };

/** The reference is made from the commands themselves, and examples.test.ts types its examples. */
export function readDocuments(): Document[] {
  const paths = globSync(["README.md", "docs/*.md", "docs/forges/*.md"], { cwd: ROOT }).toSorted();
  return paths.map((path) => ({ path, steps: stepsOf(readFileSync(join(ROOT, path), "utf8")) }));
}

type Block = { line: number; language: string; before: string; lines: string[] };

export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const { line, language, before, lines } of blocksOf(markdown)) {
    const [, name] = /Write `([^`]+)` with this text/.exec(before) ?? [];
    const [, reason] = /^_Not run here by a test: (.+)_$/.exec(before) ?? [];
    const last = steps.at(-1);
    if (language === "sh" && reason !== undefined) steps.push({ kind: "leave", line, reason });
    else if (language === "sh") steps.push({ kind: "type", line, commands: lines });
    else if (name !== undefined)
      steps.push({ kind: "write", line, name, text: `${lines.join("\n")}\n` });
    else if (language === "text" && last?.kind === "type" && before === "```")
      steps.push({ kind: "expect", line, lines });
  }
  return steps;
}

/** Fenced blocks that are not inside another one, each with the last line before it. */
function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { fence: string }) | undefined;
  let before = "";
  for (const [index, text] of markdown.split("\n").entries()) {
    const [, fence = "", language = ""] = /^(`{3,})(.*)$/.exec(text) ?? [];
    if (open === undefined && fence !== "") {
      open = { line: index + 1, language: language.trim(), before, lines: [], fence };
    } else if (open !== undefined && fence === open.fence && language === "") {
      blocks.push(open);
      open = undefined;
    } else open?.lines.push(text);
    if (text.trim() !== "") before = text;
  }
  return blocks;
}
