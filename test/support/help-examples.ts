// The examples in the help of every command, as a person types them.
import type { Command } from "@commander-js/extra-typings";
import { afterHelp } from "../../src/cli/output/help.ts";
import { describedCommands } from "./commands.ts";

/** Each once, in the order of `pawl help --all`; without the words that explain it. */
export async function helpExamples(): Promise<string[]> {
  const program = (await describedCommands()) as unknown as Command;
  const lines = leavesOf(program).flatMap((command) => afterHelp(command).split("\n"));
  const typed = lines.filter((line) => /^ {2}(?=\S).*\bpawl /.test(`${line} `)).map(withoutWords);
  return [...new Set(typed)];
}

const withoutWords = (line: string): string => line.trim().split(/\s{2,}/)[0] ?? "";

function leavesOf(command: Command): Command[] {
  const subcommands = command.commands as unknown as Command[];
  return subcommands.length === 0 ? [command] : subcommands.flatMap(leavesOf);
}
