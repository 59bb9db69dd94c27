// `pawl completion bash|zsh|fish`: prints a script for the user's shell, made from the commands
// themselves, so that it cannot forget one.
import { Argument, type Command } from "@commander-js/extra-typings";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { completionScript, SHELLS, type Words } from "../output/completion-script.ts";
import { loadProgram } from "../program.ts";
import { COMMANDS } from "../registry.ts";

const EXAMPLES = `
Examples:
  pawl completion bash > ~/.local/share/bash-completion/completions/pawl
  pawl completion zsh > ~/.zfunc/_pawl        with fpath+=~/.zfunc before compinit
  pawl completion fish > ~/.config/fish/completions/pawl.fish`;

export const addCompletion: AddCommand = (program, { deps }) => {
  program
    .command("completion")
    .description("shell completion for bash, zsh or fish")
    .addArgument(new Argument("<shell>", "which one").choices(SHELLS))
    .action(async (shell) => {
      const at = deps();
      at.stdout(completionScript(shell, wordsOf(await everyCommand(at))));
    })
    .addHelpText("after", EXAMPLES);
};

const everyCommand = (deps: Deps): Promise<Command> =>
  loadProgram({ ...deps, commands: COMMANDS, deps: () => deps });

/** One entry per command and verb; the path of the program itself is empty. */
function wordsOf(command: Command, path: string[] = []): Words[] {
  const subcommands = command.commands as unknown as Command[];
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const words: Words = {
    path,
    words: [
      ...subcommands.map((sub) => ({ word: sub.name(), about: sub.description() })),
      ...choices.map((word) => ({ word, about: "" })),
    ],
    options: [
      ...command.options.flatMap(({ long, description }) => {
        return long === undefined || long === null ? [] : [{ word: long, about: description }];
      }),
      { word: "--help", about: "how it is used" },
    ],
  };
  return [words, ...subcommands.flatMap((sub) => wordsOf(sub, [...path, sub.name()]))];
}
