// The command line as a function: words in, exit code out. It loads only the command that was
// asked for, and turns failures into a sentence, a hint and an exit code: the only place in the
// CLI where errors are caught.
import { Command, CommanderError } from "@commander-js/extra-typings";
import { refusedWrite } from "../config/file-failure.ts";
import { describeError } from "../lib/operation-error.ts";
import { EXIT, type Deps, type ExitCode } from "./deps.ts";
import { addJsonOption, keepAnswer, wantsAnswer } from "./json-answer.ts";
import {
  ALL_WORDS,
  explainMistakes,
  FIRST_WORDS,
  headingOf,
  inGroups,
  plainError,
  shareExamples,
} from "./output/help.ts";
import { wrapHelp } from "./output/wrap.ts";
import type { AddCommand } from "./command.ts";
import type { Registered } from "./registry.ts";
import { refuseInSession } from "./session-guard.ts";

/** What a program is called, what its help says, and how it ends where it was typed wrong. */
export type Program = {
  name: string;
  description: string;
  examples: string;
  /** What `help --all` says below its list. */
  examplesOfAll?: string;
  usageCode: ExitCode;
};

const PAWL: Program = {
  name: "pawl",
  description: "Runs a fleet of coding agents over your backlog and never loses a step they made.",
  examples: FIRST_WORDS,
  examplesOfAll: ALL_WORDS,
  usageCode: EXIT.usage,
};

/** Where help goes into a pipe or a file. */
const HELP_COLUMNS = 80;

export type Shell = {
  /** `pawl`, unless another one is meant. */
  program?: Program;
  version: string;
  /** The version and which build it is; asked only where a person wants to know. */
  build?: () => Promise<string>;
  commands: readonly Registered[];
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** How wide the terminal is that help is shown on; undefined where it is none. */
  columns?: number | undefined;
  /** Made when a command runs: it depends on `--project`. */
  deps: (project: string | undefined) => Deps;
};

export async function runProgram(argv: readonly string[], shell: Shell): Promise<ExitCode> {
  try {
    return await parse(helpWords(argv, shell.commands), shell);
  } catch (error) {
    return failed(error, shell);
  }
}

async function parse(argv: string[], shell: Shell): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const isAll = argv.length === 2 && argv.includes("--all") && argv.includes("--help");
  const program = createProgram(shell, isAll);
  if (shell.build !== undefined && ["-V", "--version"].includes(argv[0] ?? "")) {
    shell.stdout(`${await shell.build()}\n`);
    return code;
  }
  const as = argv.includes("--help") ? undefined : accountIn(argv);
  if (as !== undefined) return runAs(as, shell.deps(undefined));
  let finishAnswer: (() => void) | undefined;
  let answers = false;
  const ownDeps = (): Deps => shell.deps(program.opts().project);
  const context = {
    deps: (): Deps => {
      if (!answers) return ownDeps();
      const kept = keepAnswer(ownDeps());
      finishAnswer = kept.print;
      return kept.deps;
    },
    finish: (finished: ExitCode) => (code = finished),
  };
  program.hook("preAction", (_program, command) => {
    refuseInSession(ownDeps(), command as unknown as Command);
    answers = wantsAnswer(command as unknown as Command);
  });
  await addCommands(program as unknown as Command, { shell, context, argv, isAll });
  if (argv.length === 0 || isAll) {
    return helpAlone(program as unknown as Command, (shell.program ?? PAWL).usageCode);
  }
  await program.parseAsync(argv, { from: "user" });
  finishAnswer?.();
  return code;
}

/** Loaded only where it is used. */
async function runAs({ account, words }: AsAccount, deps: Deps): Promise<ExitCode> {
  const { runAsAccount } = await import("./as-account.ts");
  return (await runAsAccount(account, words, deps)) as ExitCode;
}

/** A person who types `pawl` alone wants help; a script that does so has forgotten something. */
function helpAlone(program: Command, usageCode: ExitCode): ExitCode {
  const isMistake = usageCode !== EXIT.usage;
  program.outputHelp({ error: isMistake });
  return isMistake ? usageCode : EXIT.ok;
}

type Context = Parameters<AddCommand>[1];

/** The one that was asked for is loaded; the others are names in the help. */
async function addCommands(
  program: Command,
  told: { shell: Shell; context: Context; argv: string[]; isAll: boolean },
): Promise<void> {
  const named = commandWord(told.argv);
  for (const registered of inGroups(told.shell.commands)) {
    const { name, summary, load, shown } = registered;
    if (name === named) await loadCommand(program, load, told.context);
    else {
      // A misspelt command is compared with all of them.
      const isForLater = shown === "all" && !told.isAll && named === undefined;
      const hidden = shown === "never" || isForLater;
      program.command(name, { hidden }).description(summary).helpGroup(headingOf(registered));
    }
  }
}

async function loadCommand(
  program: Command,
  load: Registered["load"],
  context: Context,
): Promise<void> {
  (await load())(program, context);
  const command = program.commands.at(-1) as unknown as Command;
  addJsonOption(command);
  shareExamples(command);
  explainMistakes(command, program.name());
}

function createProgram(shell: Shell, isAll: boolean) {
  const { name, description, examples, examplesOfAll } = shell.program ?? PAWL;
  return new Command(name)
    .description(description)
    .version(shell.version)
    .option("--project <name>", "use this project instead of the one of this folder")
    .option("--as <account>", "as root: run the command as this account, with only its rights")
    .helpCommand(false)
    .showSuggestionAfterError()
    .showHelpAfterError(`hint: \`${name} --help\` lists the commands`)
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) =>
        shell.stdout(shell.columns === undefined ? text : wrapHelp(text, shell.columns)),
      getOutHelpWidth: () => shell.columns ?? HELP_COLUMNS,
      // Also help, where a verb is missing.
      writeErr: (text) =>
        shell.stderr(
          shell.columns === undefined || !text.startsWith("Usage:")
            ? text
            : wrapHelp(text, shell.columns),
        ),
      outputError: (text, write) => write(plainError(text, name)),
    })
    .addHelpText("after", (isAll ? examplesOfAll : undefined) ?? examples)
    .exitOverride();
}

/** The whole program with every command loaded, for those that describe it. */
export async function loadProgram(shell: Shell): Promise<Command> {
  const program = createProgram(shell, false) as unknown as Command;
  const context = { deps: () => shell.deps(undefined), finish: () => undefined };
  for (const { load } of shell.commands) await loadCommand(program, load, context);
  return program;
}

/**
 * `pawl help issue` is what many try first: it means `pawl issue --help`. A command that does not
 * exist has no help: it is refused as without it.
 */
function helpWords(argv: readonly string[], commands: readonly Registered[]): string[] {
  const [first, ...rest] = argv;
  // Help about help is the help itself.
  const asked = rest[0] === "help" ? rest.slice(1) : rest;
  const words = first === "help" ? [...asked, "--help"] : [...argv];
  const named = commandWord(words);
  const isKnown = named === undefined || commands.some(({ name }) => name === named);
  return isKnown ? words : words.filter((word) => word !== "--help" && word !== "-h");
}

type AsAccount = { account: string; words: string[] };

/** The words without the option; undefined where it is not among them. */
function accountIn(argv: readonly string[]): AsAccount | undefined {
  const end = argv.indexOf("--");
  const at = argv.findIndex((word) => word === "--as" || word.startsWith("--as="));
  if (at === -1 || (end !== -1 && end < at)) return undefined;
  const joined = argv[at]?.slice("--as=".length) ?? "";
  const account = joined === "" ? (argv[at + 1] ?? "") : joined;
  // Commander says what is missing.
  if (account === "") return undefined;
  return { account, words: argv.toSpliced(at, joined === "" ? 2 : 1) };
}

/** Options of the program that take a value. */
const VALUED = new Set(["--project", "--as"]);

/** The first word that is no option and no option's value. */
function commandWord(argv: readonly string[]): string | undefined {
  return argv.find((word, index) => !word.startsWith("-") && !VALUED.has(argv[index - 1] ?? ""));
}

function failed(error: unknown, shell: Shell): ExitCode {
  // Commander has written its message already.
  const { name, usageCode } = shell.program ?? PAWL;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : usageCode;
  const refused = refusedWrite(error);
  if (refused !== undefined) {
    shell.stderr(`${name}: ${refused}\n`);
    return EXIT.failed;
  }
  const { code, message, hint } = describeError(error);
  shell.stderr(`${name}: ${message}\n`);
  if (hint !== undefined) shell.stderr(`hint: ${hint}\n`);
  if (code === "unexpected" && error instanceof Error) shell.stderr(`${error.stack}\n`);
  return code === "usage" ? usageCode : exitCodeOf(code);
}

function exitCodeOf(code: string): ExitCode {
  if (code === "unreachable" || code === "hung-up" || code === "no-answer") return EXIT.unreachable;
  return code === "auth" ? EXIT.auth : EXIT.failed;
}
