// Runs one command of the project in a process group of its own, within a time limit,
// and ends everything it left behind. It reports what happened and judges nothing.
//
// Not by run(): here is a bound on the log while it is written, and an end that does not wait for a
// pipe held by a child that lives on.
import { Writable, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { callbackify } from "node:util";
import { OperationError } from "../../lib/operation-error.ts";
import { openCiLog, type CiLog } from "./ci-log.ts";
import {
  endLeft,
  endMarked,
  endRest,
  groupOf,
  signalGroup,
  type Group,
} from "../shared/leftovers.ts";
import { startProgram, type Program } from "../shared/program.ts";
import { createTestEvidence, type TestEvidence } from "./test-evidence.ts";

const LOG_BYTES_MAX = 20_000_000;
/** How long a pipe may stay open once everything that is proven ours has ended. */
const DRAIN_MS = 1000;

export type CommandRequest = {
  argv: readonly [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  mark: string;
  timeoutMs: number;
  /** Between SIGTERM and SIGKILL at a timeout or an abort. */
  graceMs: number;
  logFile: string;
  signal: AbortSignal;
  /** Called once the group exists, before anything is waited for. */
  onStarted: (group: Group) => Promise<void>;
};

export type CommandResult = {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  durationMs: number;
  logTail: string;
  noTestExecuted: boolean;
};

type Child = Program & { pid: number; stdout: Readable };
type Exit = Pick<CommandResult, "exitCode" | "signal">;

export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  throwIfAborted(request.signal);
  const log = await openCiLog(request.logFile, { bytesMax: LOG_BYTES_MAX });
  const evidence = createTestEvidence();
  const startedAt = performance.now();
  try {
    const child = await start(request);
    const { exit, why } = await follow(child, request, collect(child, log, evidence));
    if (why === "aborted") throwIfAborted(request.signal);
    return {
      ...exit,
      timedOut: why === "timeout",
      durationMs: Math.round(performance.now() - startedAt),
      logTail: log.tail(),
      noTestExecuted: evidence.noTestExecuted(),
    };
  } finally {
    await log.close();
  }
}

export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new OperationError("the check was aborted", { code: "aborted", cause: signal.reason });
}

async function start({ argv, cwd, env, mark }: CommandRequest): Promise<Child> {
  const started = await startProgram({ argv, cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  if ("cause" in started) throw notStarted(cwd, started.cause);
  if (started.pid === undefined || started.stdout === null) {
    // It may run all the same, and what it writes is lost. Its number may be another one's by now.
    await endMarked(mark);
    throw lost(cwd);
  }
  return started as Child;
}

const notStarted = (cwd: string, cause: unknown): OperationError => {
  const message = `cannot start sh in ${cwd}: ${cause instanceof Error ? cause.message : "no reason"}`;
  return new OperationError(message, { code: "spawn-failed", cause });
};

/** The command may have been green: its end was not seen, so that it is run again. */
const lost = (cwd: string): OperationError =>
  new OperationError(`the end of a command in ${cwd} was not seen`, {
    code: "command-lost",
    retryable: true,
  });

function collect(child: Child, log: CiLog, evidence: TestEvidence): Writable {
  const decoder = new StringDecoder("utf8");
  const store = async (chunk: Buffer): Promise<void> => {
    evidence.push(decoder.write(chunk));
    await log.write(chunk);
  };
  const write = callbackify(store);
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => write(chunk, done) });
  return child.stdout.pipe(sink);
}

async function follow(
  child: Child,
  request: CommandRequest,
  sink: Writable,
): Promise<{ exit: Exit; why: End | undefined }> {
  const exited = waitForExit(child);
  const limits = watchLimits(child.pid, request);
  sink.once("error", () => limits.end("log"));
  child.once("exit", limits.close);
  try {
    const group = await groupOf(child.pid);
    await request.onStarted(group);
    const { isLost, ...exit } = await exited;
    await endRest(group);
    await endLeft({ mark: request.mark, folder: request.cwd, since: group.startedAt });
    await drain(child, sink);
    if (isLost) throw lost(request.cwd);
    return { exit, why: limits.why() };
  } finally {
    limits.end("failed");
  }
}

type End = "timeout" | "aborted" | "log" | "failed";

/** Ends the group for the first reason that comes up; never once its leader is gone. */
function watchLimits(pid: number, request: CommandRequest) {
  const { signal, timeoutMs, graceMs } = request;
  let why: End | undefined;
  let isOver = false;
  let killTimer: NodeJS.Timeout | undefined;
  const end = (reason: End): void => {
    if (isOver || why !== undefined) return;
    why = reason;
    signalGroup(pid, "SIGTERM");
    killTimer = setTimeout(() => signalGroup(pid, "SIGKILL"), graceMs);
  };
  const onAbort = () => end("aborted");
  const timeout = setTimeout(() => end("timeout"), timeoutMs);
  signal.addEventListener("abort", onAbort, { once: true });
  const close = (): void => {
    isOver = true;
    clearTimeout(timeout);
    clearTimeout(killTimer);
    signal.removeEventListener("abort", onAbort);
  };
  return { end, close, why: () => why };
}

function waitForExit(child: Child): Promise<Exit & { isLost: boolean }> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) =>
      resolve({ exitCode, signal, isLost: child.isLost === true }),
    );
  });
}

/** Reads what is still in the pipe; a process that keeps it open does not delay us. */
async function drain(child: Child, sink: Writable): Promise<void> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), DRAIN_MS);
  try {
    await finished(child.stdout, { signal: limit.signal });
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    child.stdout.destroy();
  } finally {
    clearTimeout(timer);
  }
  if (!sink.writableEnded) sink.end();
  await finished(sink);
}
