// `pawl completion bash|zsh|fish`: prints a script for the user's shell, made from the commands
// themselves, so that it cannot forget one.
import { Argument, type Command } from "@commander-js/extra-typings";
import { configKeys } from "../../config/keys.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { completionScript, SHELLS, type Values, type Words } from "../output/completion-script.ts";
import { loadProgram } from "../program.ts";
import { COMMANDS } from "../registry.ts";

const EXAMPLES = `
Examples:
  pawl completion bash > ~/.local/share/bash-completion/completions/pawl
  pawl completion zsh > ~/.zfunc/_pawl        with fpath+=~/.zfunc before compinit
  pawl completion fish > ~/.config/fish/completions/pawl.fish

If the folder is not there yet, make it first: \`mkdir -p ~/.local/share/bash-completion/completions\`
for bash, \`mkdir -p ~/.zfunc\` for zsh. Completion works in every new terminal.

It completes commands, options and their values, and also your issues, runs, PRs, queue entries and
projects. After an upgrade of Pawl, print the script again.`;

export const addCompletion: AddCommand = (program, { deps }) => {
  program
    .command("completion")
    .description("print a completion script for bash, zsh or fish")
    .addArgument(new Argument("<shell>", "which one").choices(SHELLS))
    .action(async (shell) => {
      const at = deps();
      at.stdout(completionScript(shell, wordsOf(await everyCommand(at))));
    })
    .addHelpText("after", EXAMPLES);
};

const everyCommand = (deps: Deps): Promise<Command> =>
  loadProgram({ ...deps, commands: COMMANDS, deps: () => deps });

/** Which list command tells the values of an argument: by command and argument, then by argument. */
const LISTS: Readonly<Record<string, string>> = {
  ref: "status",
  "why ref": "issue list",
  "retry ref": "issue list",
  "escalation ref": "escalation list",
  "issue number": "issue list",
  "pr number": "pr list",
  entry: "merge-queue list",
  "merge-queue branch": "git",
  formula: "formula list",
  "formula run": "formula status",
  gate: "gate list",
  "mail id": "mail inbox",
  "vault id": "vault list",
  "schedule name": "schedule list",
  "plugin name": "plugin list",
  "project name": "project list",
  "page device": "page devices",
  "agents name": "agents",
};

/** The same for values of options. */
const OPTION_LISTS: Readonly<Record<string, string>> = {
  "--project": "project list",
  "--depends-on": "issue list",
  "--issue": "issue list",
  "--after": "git",
};

/** One entry per command and verb; the path of the program itself is empty. */
function wordsOf(command: Command, path: string[] = []): Words[] {
  const subcommands = command.commands as unknown as Command[];
  const words: Words = {
    path,
    subcommands: subcommands.map((sub) => {
      const isHidden = path.length === 0 && HIDDEN.has(sub.name());
      return { word: sub.name(), about: sub.description(), isHidden };
    }),
    options: [...optionsOf(command), HELP],
    arguments: command.registeredArguments.map((argument) => ({
      values: argument.argChoices ?? listOf(path, argument.name()),
      isRepeated: argument.variadic,
    })),
  };
  return [words, ...subcommands.flatMap((sub) => wordsOf(sub, [...path, sub.name()]))];
}

const HELP = { word: "--help", about: "how it is used", takesValue: false, values: [] };

const optionsOf = (command: Command): Words["options"] =>
  command.options.flatMap(({ long, description, required, optional, argChoices, hidden }) => {
    if (typeof long !== "string" || hidden) return [];
    const takesValue = required || optional;
    const list = takesValue ? OPTION_LISTS[long] : undefined;
    const values: Values = argChoices ?? (list === undefined ? [] : { list });
    return [{ word: long, about: description, takesValue, values }];
  });

function listOf(path: readonly string[], argument: string): Values {
  if (path.join(" ") === "config explain") return configKeys().map(({ key }) => key);
  const list = LISTS[`${path[0] ?? ""} ${argument}`] ?? LISTS[argument];
  return list === undefined ? [] : { list };
}

/** What only agents or scripts type. */
const HIDDEN: ReadonlySet<string> = new Set(
  COMMANDS.filter(({ shown }) => shown === "never").map(({ name }) => name),
);
