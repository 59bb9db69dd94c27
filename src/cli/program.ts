// The command line as a function: words in, exit code out. It loads only the command that was
// asked for, and turns failures into a sentence, a hint and an exit code: the only place in the
// CLI where errors are caught.
import { Command, CommanderError } from "@commander-js/extra-typings";
import { describeError } from "../lib/operation-error.ts";
import { EXIT, type Deps, type ExitCode } from "./deps.ts";
import type { Registered } from "./registry.ts";
import { refuseInSession } from "./session-guard.ts";

const EXAMPLES = `
Examples:
  pawl demo                                see it work, in a scratch repository
  pawl init                                set up the repository you are in
  pawl issue add --title "Fix the parser"  ask for something
  pawl run                                 work on it, and watch

Every command explains itself with --help. Results go to stdout, everything else to stderr.
Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 daemon unreachable, 4 not allowed, 8 waits for a person.`;

/** What a program is called, what its help says, and how it ends where it was typed wrong. */
export type Program = {
  name: string;
  description: string;
  examples: string;
  usageCode: ExitCode;
};

const PAWL: Program = {
  name: "pawl",
  description: "Runs a fleet of coding agents over your backlog and never loses a step they made.",
  examples: EXAMPLES,
  usageCode: EXIT.usage,
};

export type Shell = {
  /** `pawl`, unless another one is meant. */
  program?: Program;
  version: string;
  /** The version and which build it is; asked only where a person wants to know. */
  build?: () => Promise<string>;
  commands: readonly Registered[];
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** Made when a command runs: it depends on `--project`. */
  deps: (project: string | undefined) => Deps;
};

export async function runProgram(argv: readonly string[], shell: Shell): Promise<ExitCode> {
  try {
    return await parse(helpWords(argv), shell);
  } catch (error) {
    return failed(error, shell);
  }
}

async function parse(argv: string[], shell: Shell): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram(shell);
  if (shell.build !== undefined && ["-V", "--version"].includes(argv[0] ?? "")) {
    shell.stdout(`${await shell.build()}\n`);
    return code;
  }
  const named = commandWord(argv);
  const context = {
    deps: () => shell.deps(program.opts().project),
    finish: (finished: ExitCode) => (code = finished),
  };
  program.hook("preAction", (_program, command) =>
    refuseInSession(context.deps(), command as unknown as Command),
  );
  const { usageCode } = shell.program ?? PAWL;
  for (const { name, summary, load, hidden = false } of shell.commands) {
    if (name === named) (await load())(program as unknown as Command, context);
    else program.command(name, { hidden }).description(summary);
  }
  if (argv.length === 0) return helpAlone(program as unknown as Command, usageCode);
  await program.parseAsync(argv, { from: "user" });
  return code;
}

/** A person who types `pawl` alone wants help; a script that does so has forgotten something. */
function helpAlone(program: Command, usageCode: ExitCode): ExitCode {
  const isMistake = usageCode !== EXIT.usage;
  program.outputHelp({ error: isMistake });
  return isMistake ? usageCode : EXIT.ok;
}

function createProgram(shell: Shell) {
  const { name, description, examples } = shell.program ?? PAWL;
  return new Command(name)
    .description(description)
    .version(shell.version)
    .option("--project <name>", "the project, where it is not the one of this folder")
    .helpCommand(false)
    .showSuggestionAfterError()
    .showHelpAfterError("hint: --help says what it takes")
    .configureHelp({ sortSubcommands: false })
    .configureOutput({
      writeOut: shell.stdout,
      writeErr: shell.stderr,
      outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)),
    })
    .addHelpText("after", examples)
    .exitOverride();
}

/** The whole program with every command loaded, for those that describe it. */
export async function loadProgram(shell: Shell): Promise<Command> {
  const program = createProgram(shell) as unknown as Command;
  const context = { deps: () => shell.deps(undefined), finish: () => undefined };
  for (const { load } of shell.commands) (await load())(program, context);
  return program;
}

/** `pawl help issue` is what many try first: it means `pawl issue --help`. */
function helpWords(argv: readonly string[]): string[] {
  const [first, ...rest] = argv;
  return first === "help" ? [...rest, "--help"] : [...argv];
}

/** The first word that is no option and no option's value. */
function commandWord(argv: readonly string[]): string | undefined {
  return argv.find((word, index) => !word.startsWith("-") && argv[index - 1] !== "--project");
}

function failed(error: unknown, shell: Shell): ExitCode {
  // Commander has written its message already.
  const { name, usageCode } = shell.program ?? PAWL;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : usageCode;
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
