// The agent's process, in a process group of its own: Ctrl-C at the pane interrupts a turn and must
// not end the program. What it writes to stderr is kept in the epoch's folder.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { Readable, Writable } from "node:stream";
import { hasCode } from "../../../lib/error-code.ts";
import type { DriverOptions } from "../agent-host/driver.ts";
import { ProgramLog } from "../agent-host/program-log.ts";

const STDERR = "agent-stderr.log";
const SAID_MAX = 500;
/** Between asking it to end and ending it. */
const END_MS = 2_000;

export type Exit = { code: number | undefined; reason: string };

export type Program = {
  input: WritableStream<Uint8Array>;
  output: ReadableStream<Uint8Array>;
  exited: Promise<Exit>;
  /** What it said last on stderr; empty where it said nothing. */
  lastWords(): string;
  end(): Promise<void>;
};

/** Rejects with the system's own error where it cannot be started. */
export async function startProgram(options: DriverOptions): Promise<Program> {
  const { argv, env, workspace, dir } = options;
  const [program = "", ...words] = argv;
  const log = new ProgramLog(join(dir, STDERR));
  const child = spawn(program, words, {
    cwd: workspace,
    env,
    stdio: ["pipe", "pipe", log.fd],
    detached: true,
  });
  const exited = new Promise<Exit>((resolve) => {
    child.on("exit", (code, signal) =>
      resolve({
        code: code ?? undefined,
        reason: signal === null ? `exit code ${code ?? "unknown"}` : `signal ${signal}`,
      }),
    );
  });
  try {
    await once(child, "spawn");
  } catch (error) {
    log.close();
    throw error;
  }
  const { stdin, stdout } = child;
  // A program that has ended takes no input; `exited` says so.
  stdin?.on("error", () => {});
  if (stdin === null || stdout === null) throw new Error("the agent has no input or output");
  return {
    input: Writable.toWeb(stdin),
    output: Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
    exited,
    lastWords: () => lastLine(log.end()),
    end: () => end(child, exited).finally(() => log.close()),
  };
}

async function end(child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  signal(child, "SIGTERM");
  const guard = setTimeout(() => signal(child, "SIGKILL"), END_MS);
  await exited;
  clearTimeout(guard);
  // What the agent started and left behind.
  signal(child, "SIGKILL");
}

function signal({ pid }: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (!hasCode(error, ["ESRCH", "EPERM"])) throw error;
  }
}

const lastLine = (said: string): string =>
  (said.trim().split("\n").at(-1) ?? "").slice(0, SAID_MAX);
