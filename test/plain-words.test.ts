// Plain English in what people and agents read: the words that style forbids are found in documents
// and in the texts of the code. Names in the code are not looked at here.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Each with the word to write instead. */
const FORBIDDEN: [RegExp, string][] = [
  [/\b(?:nobody|somebody|whoever)\b/i, "name the subject"],
  [/\banew\b/i, "again"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\b(?:take|takes|took|taking) (?:its|their|his|her) leave\b/i, "exit"],
  [/\b(?:go|goes|going|gone) on with\b/i, "resume"],
  [/\bTOML that is none\b/i, "invalid TOML"],
  [/\bmachinery\b/i, "CI infrastructure"],
  [/\bsince \S+ ago\b/i, "for 4 minutes, or 4 minutes ago"],
];

const DOCUMENTS = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "docs/**/*.md",
  "changes/*.md",
];
/** The command line, what Pawl says to agents and operators, and what is wrong with a pawl.toml. */
const SOURCES = ["src/cli/**/*.ts", "src/core/words/*.ts", "src/config/**/*.ts", "src/api/*.ts"];

/** Strings of one line, and template texts. */
const TEXT = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

const forbiddenIn = (text: string, where: string): string[] =>
  FORBIDDEN.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`${where}: "${found}" (${instead}): ${text.slice(0, 100)}`];
  });

/** What stands in backticks may be a name that is stored or sent. */
const withoutNames = (line: string): string => line.replaceAll(/`[^`]*`/g, "");

test("documents are in plain English", () => {
  const found = globSync(DOCUMENTS).flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) => forbiddenIn(withoutNames(line), `${file}:${index + 1}`)),
  );
  expect(found).toEqual([]);
});

test("what the code says is in plain English", () => {
  const files = globSync(SOURCES).filter((file) => !file.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(TEXT)].flatMap(([text]) => forbiddenIn(text, file)),
  );
  expect(found).toEqual([]);
});
