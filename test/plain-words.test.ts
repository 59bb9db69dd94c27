// Plain English in what people and agents read: the words that style forbids are found in documents, in
// the texts of the code, in comments and in the titles of tests. Names in the code are not checked here.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Each with the word to write instead. */
const FORBIDDEN: [RegExp, string][] = [
  [/\b(?:nobody|somebody|whoever)\b/i, "name the subject"],
  [/\banew\b/i, "again"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\b(?:take|takes|took|taking) (?:its|their|his|her) leave\b/i, "exit"],
  [/\b(?:go|goes|going|gone) on with\b/i, "resume"],
  [/\b(?:put|puts|putting) (?:off|aside)\b/i, "pause, delay"],
  [/\b(?:take|takes|took|taken|taking) away\b/i, "remove"],
  [/\bcall(?:s|ed|ing)? (?:it |them )?back\b/i, "cancel"],
  [/\b(?:that|which) is none(?! of)\b/i, "invalid"],
  [/\bsits there\b/i, "attached"],
  [/\bmachinery\b/i, "CI infrastructure"],
  [/\bsince \S+ ago\b/i, "for 4 minutes, or 4 minutes ago"],
];

const DOCUMENTS = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "docs/**/*.md",
  "changes/*.md",
  "formulas/**/*.{toml,md}",
];
const SOURCES = ["src/**/*.{ts,tsx}"];
const CODE = [...SOURCES, "sim/**/*.ts", "test/**/*.ts", "scripts/**/*.ts", ".ci/*"];

/** Strings of one line, and template texts. */
const TEXT = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** Behind a space, so that the address of a page is no comment. */
const COMMENT = /(?<=^|\s)\/\/[^\n]*|\/\*[^]*?\*\//g;
const TITLE = /\b(?:test|describe)(?:\.\w+)*(?:\([^"`]*\))?\(\s*("(?:[^"\\\n]|\\.)*"|`[^`]*`)/g;

const forbiddenIn = (text: string, where: string): string[] =>
  FORBIDDEN.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`${where}: "${found}" (${instead}): ${text.slice(0, 100)}`];
  });

/** What stands in backticks may be a name that is stored or sent. */
const withoutNames = (line: string): string => line.replaceAll(/`[^`]*`/g, "");

/** One word alone is a name: of a field, of a user in a test. */
const isSentence = (text: string): boolean => text.includes(" ");

/** This file names the words, and an old journal has an old name. */
const filesIn = (patterns: string[]): string[] =>
  globSync(patterns).filter((file) => file !== "test/plain-words.test.ts");

const inParts = (files: string[], part: RegExp): string[] =>
  files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(part)].flatMap(([whole, title]) =>
      forbiddenIn(title ?? withoutNames(whole), file),
    ),
  );

test("documents are in plain English", () => {
  const found = globSync(DOCUMENTS).flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) => forbiddenIn(withoutNames(line), `${file}:${index + 1}`)),
  );
  expect(found).toEqual([]);
});

test("what the code says is in plain English", () => {
  const files = filesIn(SOURCES).filter((file) => !/\.(?:test|contract)\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(1000);
  const found = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(TEXT)]
      .map(([text]) => text)
      .filter(isSentence)
      .flatMap((text) => forbiddenIn(text, file)),
  );
  expect(found).toEqual([]);
});

test("comments are in plain English", () => {
  expect(inParts(filesIn(CODE), COMMENT)).toEqual([]);
});

test("titles of tests are in plain English", () => {
  expect(inParts(filesIn(CODE), TITLE)).toEqual([]);
});
