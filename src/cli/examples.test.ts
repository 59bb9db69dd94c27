// Examples are what people copy: every command shows one, and each is accepted by the command line.
import type { Command } from "@commander-js/extra-typings";
import { describe, expect, test } from "vitest";
import { afterHelp } from "./output/help.ts";
import { describedCommands } from "../../test/support/commands.ts";

type Leaf = { path: string; examples: string[] };

function leaves(command: Command, above: string[]): Leaf[] {
  const words = [...above, command.name()];
  const subcommands = command.commands as unknown as Command[];
  if (subcommands.length > 0) return subcommands.flatMap((one) => leaves(one, words));
  return [{ path: words.join(" "), examples: examplesIn(afterHelp(command), words.join(" ")) }];
}

/** The calls of this command in the lines of its help, without what follows in the shell. */
const examplesIn = (text: string, path: string): string[] =>
  text
    .split("\n")
    .flatMap((line) => line.split(/ && |=\$\(/))
    .map((line) => line.trim().replace(/^\.\//, ""))
    .filter((line) => line === `pawl ${path}` || line.startsWith(`pawl ${path} `));

const all = (await describedCommands()).commands.flatMap((one) =>
  leaves(one as unknown as Command, []),
);

test("every command shows an example of itself", () => {
  expect(all.filter(({ examples }) => examples.length === 0).map(({ path }) => path)).toEqual([]);
});

const INDENT = 2;

test("the command of an example fits 80 columns, so that it can be copied from a terminal", () => {
  const commands = all.flatMap(({ examples }) =>
    examples.map((one) => one.split(/ {2,}/)[0] ?? ""),
  );
  const isLong = (one: string): boolean => one.length + INDENT > 80;
  expect(commands.filter(isLong)).toEqual([]);
});

/** As a shell splits it; a comment follows after two spaces, a pipe and a substitution end it. */
function wordsOf(example: string): string[] {
  const [typed = ""] = example.split(/\s{2,}| \| | \|\| | > |\)$/);
  const words = typed.matchAll(/\$\([^)]*\)|(?:[^\s"']|"[^"]*"|'[^']*')+/g);
  return [...words].map(([word]) => word.replaceAll(/["']/g, "")).slice(1);
}

describe("the command line accepts", () => {
  const examples = all.flatMap(({ path, examples: lines }) =>
    lines.map((example) => ({ path, example })),
  );
  test.each(examples)("$example", async ({ path, example }) => {
    const program = await describedCommands();
    let ran: string | undefined;
    for (const command of everyLeaf(program)) {
      command.action(() => void (ran = pathOf(command)));
      command.exitOverride();
    }
    await program.parseAsync(wordsOf(example), { from: "user" });
    expect(ran).toBe(path);
  });
});

function everyLeaf(command: Command): Command[] {
  const subcommands = command.commands as unknown as Command[];
  return subcommands.length === 0 ? [command] : subcommands.flatMap(everyLeaf);
}

function pathOf(command: Command): string {
  const above = command.parent as Command | null;
  return above === null ? "" : `${pathOf(above)} ${command.name()}`.trim();
}

/** What agents report, what gives the terminal away or is a script, and the formats of story-automator. */
const WITHOUT_JSON =
  /^(?:attach|daemon|completion|phase|hook set|context report|formula import|tmux-|heartbeat-check|orchestrator-helper )/;

test("every command that prints a result takes --json", async () => {
  const lacking = everyLeaf(await describedCommands())
    .filter((command) => !command.options.some(({ long }) => long === "--json"))
    .map(pathOf);
  expect(lacking.filter((path) => !WITHOUT_JSON.test(path))).toEqual([]);
});
