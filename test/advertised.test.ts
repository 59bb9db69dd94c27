// Advertised and never wired is worse than missing: every command and option must be typed by an
// end-to-end test, and every command line in the documents must be one that exists.
import { globSync, readFileSync } from "node:fs";
import type { Command } from "@commander-js/extra-typings";
import { expect, test } from "vitest";
import { describedCommands } from "./support/commands.ts";

type Advertised = { path: string[]; options: string[] };

async function advertised(): Promise<Advertised[]> {
  const program = await describedCommands();
  return program.commands.flatMap((command) => below(command as unknown as Command, []));
}

function below(command: Command, above: string[]): Advertised[] {
  const path = [...above, command.name()];
  const options = command.options.flatMap(({ long, hidden }) =>
    long === undefined || long === null || hidden ? [] : [long],
  );
  const own = command.commands.length === 0 || options.length > 0 ? [{ path, options }] : [];
  return [...own, ...command.commands.flatMap((one) => below(one as unknown as Command, path))];
}

const END_TO_END = "test/{acceptance,claude,gitea,page,support}/**/*.ts";
const DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "docs/**/*.md", "changes/*.md"];

/** The words one after the other, as arguments of a call or as a line of a shell. */
const typed = (path: string[]): RegExp =>
  new RegExp(`(?<![\\w-])${path.join(`(?:["'\`]?,\\s*["'\`]?| )`)}(?![\\w-])`);

/** Whole, or by a function of the test that adds the first words. */
function isTyped(path: string[], text: string): boolean {
  if (typed(path).test(text)) return true;
  const words = (some: string[]): string => `"${some.join('", "')}"`;
  return path.some((_, index) => {
    const [first, rest] = [path.slice(0, index), path.slice(index)];
    return index > 0 && text.includes(`${words(first)}, ...`) && text.includes(`(${words(rest)}`);
  });
}

test("every command and option is typed by an end-to-end test", async () => {
  const tests = globSync(END_TO_END).map((file) => readFileSync(file, "utf8"));
  const missing = (await advertised()).flatMap(({ path, options }) => {
    const using = tests.filter((text) => isTyped(path, text));
    if (using.length === 0) return [path.join(" ")];
    return options
      .filter((option) => !using.some((text) => text.includes(option)))
      .map((option) => `${path.join(" ")} ${option}`);
  });
  expect(missing).toEqual([]);
});

/** `pawl issue add --title …`, and `pawl issue add|list` for several. */
const LINE = /(?:`|^)(?:\.\/)?pawl ([a-z][a-z-]*)(?: ([a-z][a-z|-]*))?((?: [^`\n#]*)?)/gm;
const EVERYWHERE = ["--project", "--as", "--help", "--version"];

test("every command line in the documents is one that exists", async () => {
  const known = new Map((await advertised()).map(({ path, options }) => [path.join(" "), options]));
  known.set("help", ["--all"]);
  // The reference is made from the commands themselves, and examples.test.ts types its examples.
  const isReference = (file: string): boolean => file.startsWith("docs/reference/");
  const documents = globSync(DOCUMENTS).filter((file) => !isReference(file));
  const strange = documents.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(LINE)].flatMap(([, first = "", second, rest = ""]) =>
      (second ?? "").split("|").flatMap((word) => {
        const third = / ([a-z][a-z-]*)/.exec(rest)?.[1] ?? "";
        const options =
          known.get(`${first} ${word}`) ??
          known.get(first) ??
          known.get(`${first} ${word} ${third}`);
        const isGroup = [...known.keys()].some((path) => path.startsWith(`${first} `));
        if (options === undefined)
          return isGroup && word === "" ? [] : [`${file}: ${first} ${word}`];
        return [...rest.matchAll(/ (--[a-z-]+)/g)]
          .map(([, option = ""]) => option)
          .filter((option) => !options.includes(option) && !EVERYWHERE.includes(option))
          .map((option) => `${file}: ${first} ${word} ${option}`);
      }),
    ),
  );
  expect(strange).toEqual([]);
});
