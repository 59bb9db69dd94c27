#!/usr/bin/env node
// The command line: finds the command, loads only that one, and turns failures into a sentence, a
// hint and an exit code. The only place in the CLI where errors are caught.
import { userInfo } from "node:os";
import process from "node:process";
import { Command, CommanderError } from "@commander-js/extra-typings";
import { describeError, OperationError } from "../lib/operation-error.ts";
import { createClient } from "./client.ts";
import { EXIT, type Deps, type ExitCode } from "./deps.ts";
import { COMMANDS } from "./registry.ts";
import { VERSION } from "./version.ts";

const EXAMPLES = `
Examples:
  pawl demo                                see it work, in a scratch repository
  pawl init                                set up the repository you are in
  pawl issue add --title "Fix the parser"  ask for something
  pawl run                                 work on it, and watch

Every command explains itself with --help. Results go to stdout, everything else to stderr.
Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 daemon unreachable, 4 not allowed, 8 waits for a person.`;

async function main(argv: string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = new Command("pawl")
    .description(
      "Runs a fleet of coding agents over your backlog and never loses a step they made.",
    )
    .version(VERSION)
    .option("--project <name>", "the project, where it is not the one of this folder")
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false })
    .addHelpText("after", EXAMPLES)
    .exitOverride();
  const named = argv.find((word) => !word.startsWith("-"));
  const deps = (): Deps => createDeps(program.opts().project);
  for (const registered of COMMANDS) {
    if (registered.name === named) {
      const add = await registered.load();
      add(program as unknown as Command, { deps, finish: (finished) => (code = finished) });
    } else {
      program.command(registered.name).description(registered.summary);
    }
  }
  for (const command of program.commands) command.exitOverride();
  if (argv.length === 0) program.outputHelp();
  else await program.parseAsync(argv, { from: "user" });
  return code;
}

function createDeps(project: string | undefined): Deps {
  const { env } = process;
  const cwd = process.cwd();
  return {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    isTty: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 100,
    now: () => Date.now(),
    cwd,
    env,
    version: VERSION,
    client: createClient({ env, cwd, version: VERSION, project }),
    user: userInfo().username,
  };
}

function failed(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { code, message, hint } = describeError(error);
  process.stderr.write(`pawl: ${message}\n`);
  if (hint !== undefined) process.stderr.write(`hint: ${hint}\n`);
  if (code === "unexpected" && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  if (code === "unreachable") return EXIT.unreachable;
  if (code === "usage") return EXIT.usage;
  return error instanceof OperationError && code === "auth" ? EXIT.auth : EXIT.failed;
}

// A reader that went away (`pawl issue list | head -1`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  throw error;
});

process.exitCode = await main(process.argv.slice(2)).catch(failed);
