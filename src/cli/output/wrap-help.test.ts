import type { Command } from "@commander-js/extra-typings";
import { expect, test } from "vitest";
import { describedCommands } from "../../../test/support/commands.ts";
import { pawlOnTty } from "../../../test/support/pawl-cli.ts";
import { wrapHelp } from "./wrap.ts";

test("sentences are broken once, at the terminal's width, and start at the margin", () => {
  const written = `${"word ".repeat(19).trim()} and\na few more. The end.`;
  expect(wrapHelp(written, 60).split("\n")).toEqual([
    "word word word word word word word word word word word word",
    "word word word word word word word and a few more. The end.",
  ]);
  expect(wrapHelp("Types: a, b.\nA mail is c.", 60)).toBe("Types: a, b.\nA mail is c.");
});

test("what an example does continues in its column", () => {
  expect(wrapHelp("  pawl x -     the words that the text on stdin names", 45)).toBe(
    "  pawl x -     the words that the text on\n               stdin names",
  );
});

const paths = (command: Command, above: string[]): string[][] => {
  const path = [...above, command.name()];
  const subcommands = command.commands as unknown as Command[];
  return [path, ...subcommands.flatMap((sub) => paths(sub, path))];
};

test("no line of any help is longer than a terminal of 80 columns", async () => {
  const program = await describedCommands();
  const all = program.commands.flatMap((one) => paths(one as unknown as Command, []));
  const long: string[] = [];
  for (const path of [[], ...all]) {
    const { stdout } = await pawlOnTty([...path, "--help"], { columns: 80 });
    expect(stdout).not.toBe("");
    long.push(...stdout.split("\n").filter((line) => line.length > 80));
  }
  expect(long).toEqual([]);
});
