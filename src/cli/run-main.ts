// Gives a program the real terminal, environment and client. It decides nothing. What only some
// commands need is loaded when it is used: every call pays for what stands here.
import { userInfo } from "node:os";
import process from "node:process";
import { styleText } from "node:util";
import { createClient } from "./client.ts";
import { EXIT, type Deps } from "./deps.ts";
import { safeOutput } from "./output/text.ts";
import type { withSign as signing } from "./output/while-working.ts";
import { wrapLines } from "./output/wrap.ts";
import type { Registered } from "./registry.ts";
import { runProgram, type Program } from "./program.ts";
import { quitKey } from "./quit-key.ts";
import { VERSION } from "./version.ts";

const writer =
  (stream: NodeJS.WriteStream) =>
  (text: string): void => {
    const raw = stream.isTTY || "FORCE_COLOR" in process.env;
    stream.write(safeOutput(text, { raw }));
  };
const stdout = writer(process.stdout);
const plainStderr = writer(process.stderr);
/** Notes and errors are sentences: a terminal would break them inside a word. */
const stderr = (text: string): void => {
  const { isTTY, columns } = process.stderr;
  plainStderr(isTTY && columns > 0 ? wrapLines(text, columns, { isPathWhole: true }) : text);
};

const stderrColumns = (): number => (process.stderr.isTTY ? process.stderr.columns || 80 : 0);

type Sign = typeof signing;

function createDeps(named: string | undefined, withSign: Sign | undefined): Deps {
  const { env } = process;
  const cwd = process.cwd();
  const project = named ?? ownProject(env);
  const client = createClient({ env, cwd, version: VERSION, project, warn: stderr });
  return {
    stdout,
    stderr,
    isTty: process.stdout.isTTY === true,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    colour: styleText("bold", "x") !== "x",
    // Some terminals (a pty without a size) say 0.
    columns: process.stdout.columns || 100,
    screen: () => {
      const { isTTY, columns, rows } = process.stdout;
      return isTTY ? { columns: columns || 80, rows: rows || 24 } : undefined;
    },
    stderrColumns,
    quitKey,
    now: () => Date.now(),
    cwd,
    env,
    version: VERSION,
    client: withSign?.(client, { stderr, stderrColumns, now: Date.now }) ?? client,
    user: userInfo().username,
    newKey: () => crypto.randomUUID(),
    readText: async (path) => (await import("./read-text.ts")).readText(path),
    putText: async (file) => (await import("./put-text.ts")).putText(file),
    runInTerminal: async (argv) => (await import("./run-in-terminal.ts")).runInTerminal(argv),
  };
}

/** Inside a session the agent's own project is meant: its workspace is none of the user's folders. */
function ownProject({ PAWL_PROJECT: own }: NodeJS.ProcessEnv): string | undefined {
  // A monitored session works in the user's folder, and its mark is no project.
  return own?.startsWith("monitor:") === true ? undefined : own;
}

const endAtPipe =
  (code: number) =>
  (error: NodeJS.ErrnoException): void => {
    if (error.code === "EPIPE") process.exit(code);
    throw error;
  };

export async function runMain(commands: readonly Registered[], program?: Program): Promise<void> {
  // A reader that went away (`pawl issue list | head -1`) is no failure.
  process.stdout.on("error", endAtPipe(EXIT.ok));
  // Where that cannot be told, an unfinished `run --until-idle` must not look finished.
  process.stderr.on("error", endAtPipe(EXIT.failed));
  // Into a pipe no sign of work is written, and nothing is loaded for it.
  const sign = stderrColumns() > 0 ? await import("./output/while-working.ts") : undefined;
  process.exitCode = await runProgram(process.argv.slice(2), {
    version: VERSION,
    build: async () => (await import("./build-name.ts")).buildName(VERSION),
    commands,
    stdout,
    stderr,
    columns: process.stdout.isTTY ? process.stdout.columns || 80 : undefined,
    deps: (named) => createDeps(named, sign?.withSign),
    ...(program === undefined ? {} : { program }),
  });
}
