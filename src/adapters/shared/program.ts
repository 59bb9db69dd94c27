// How programs are started: by a small process beside the daemon (program-starter.ts) where there is
// one, else by this process. Both give the same streams, the same exit and a group of its own.
import { spawn } from "node:child_process";
import { once, type EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

export type ProgramRequest = {
  argv: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Readonly<Record<string, string | undefined>>;
  /** Of stdin, stdout and stderr. */
  stdio: readonly ("pipe" | "ignore")[];
};

/** What is used of Node's ChildProcess: the events `exit` and `close`, and how it ended. */
export interface Program extends EventEmitter {
  readonly pid?: number | undefined;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  /** True where its end was never seen, because the process that started it has died. */
  readonly isLost?: boolean;
  unref(): void;
}

export type Started = Program | { cause: unknown };

/** Resolves to undefined where it cannot start programs now. */
type Starter = (request: ProgramRequest) => Promise<Started | undefined>;

let starter: Starter | undefined;

/** From now on, for the whole process; undefined: by this process again. */
export function startProgramsBy(other: Starter | undefined): void {
  starter = other;
}

export async function startProgram(request: ProgramRequest): Promise<Started> {
  return (await starter?.(request)) ?? startHere(request);
}

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * One program for each turn of the event loop. Starting one takes milliseconds in which nothing else
 * happens; fifty at once, one for each project, would hold up every answer.
 */
function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

async function startHere(request: ProgramRequest): Promise<Started> {
  const [file = "", ...args] = request.argv;
  await ownTurn();
  try {
    const child = spawn(file, args, {
      cwd: request.cwd,
      env: { ...request.env },
      stdio: [...request.stdio],
      // A group of its own: a limit ends the program's children too, and none of them has a terminal.
      detached: true,
    });
    if (child.pid === undefined) return { cause: (await once(child, "error"))[0] };
    return child;
  } catch (error) {
    return { cause: error };
  }
}
