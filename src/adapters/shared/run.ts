// Runs one program to its end, with a limit on everything: the only way adapters start programs.
// It never uses a shell and never adds to the environment: what the caller gives is all there is.
// An expected exit code is a result; everything else is an OperationError that says what ran.
import spawn, { SubprocessError } from "nano-spawn";
import type { Subprocess } from "nano-spawn";
import { errorCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { commandText, endOf } from "./command-text.ts";
import { stopGroup, whenExited } from "./process-group.ts";

export type RunRequest = {
  /** The program and its arguments. */
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  /** The most that stdout may hold; stderr keeps at most its last 64 kB. */
  maxBytes: number;
  /** Written to stdin, which is closed after it; without it stdin is empty. */
  stdin?: string | Uint8Array;
  signal?: AbortSignal;
  /** Exit codes that are results. Only 0 unless told. */
  expect?: readonly number[];
  /** At `maxBytes`: an error unless told to keep the beginning and end the program. */
  overflow?: "fail" | "truncate";
  /** What it is for, as in "cannot {what}: …". */
  what?: string;
};

export type RunResult = {
  /** As UTF-8, without one final newline. */
  stdout: string;
  stderr: string;
  exitCode: number;
  /** Exactly what was written to stdout. */
  bytes: Buffer;
  /** True where `overflow: "truncate"` cut it. */
  truncated: boolean;
};

const STDERR_MAX_BYTES = 64 * 1024;
type Ending = "timeout" | "aborted" | "overflow";

export async function run(request: RunRequest): Promise<RunResult> {
  if (request.signal?.aborted === true) throw failure(request, { ending: "aborted" });
  const [file, ...args] = request.argv;
  const subprocess = spawn(file, args, {
    cwd: request.cwd,
    env: wholeEnvironment(request.env),
    stdin: request.stdin === undefined ? "ignore" : "pipe",
    // A group of its own: a limit ends the program's children too, and none of them has a terminal.
    detached: true,
  });
  const [settled, output] = await Promise.all([settle(subprocess), collect(subprocess, request)]);
  const cut = output.ending === "overflow" && request.overflow === "truncate";
  if (output.ending !== undefined && !cut) throw failure(request, { ...settled, ...output });
  if (settled.exitCode === undefined && !cut) throw failure(request, { ...settled, ...output });
  const exitCode = settled.exitCode ?? 0;
  if (!cut && !(request.expect ?? [0]).includes(exitCode)) {
    throw failure(request, { ...settled, ...output });
  }
  return {
    stdout: withoutFinalNewline(output.bytes.toString("utf8")),
    stderr: withoutFinalNewline(output.stderr),
    exitCode,
    bytes: output.bytes,
    truncated: cut,
  };
}

/** nano-spawn adds to our own environment, so everything not given is taken out by name. */
function wholeEnvironment(env: RunRequest["env"]): Record<string, string | undefined> {
  const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  return { ...none, ...env };
}

type Settled = { exitCode: number | undefined; signalName?: string; cause?: unknown };

async function settle(subprocess: Subprocess): Promise<Settled> {
  try {
    await subprocess;
    return { exitCode: 0 };
  } catch (error) {
    if (!(error instanceof SubprocessError)) throw error;
    const signalName = error.signalName === undefined ? {} : { signalName: error.signalName };
    return { exitCode: error.exitCode, ...signalName, cause: error.cause };
  }
}

type Output = { bytes: Buffer; stderr: string; ending: Ending | undefined };

async function collect(subprocess: Subprocess, request: RunRequest): Promise<Output> {
  const chunks: string[] = [];
  let size = 0;
  let stderr = "";
  let ending: Ending | undefined;
  let child;
  try {
    child = await subprocess.nodeChildProcess;
  } catch (error) {
    if (!(error instanceof SubprocessError)) throw error;
    return { bytes: Buffer.alloc(0), stderr, ending };
  }
  const stop = (why: Ending): void => {
    if (ending !== undefined) return;
    ending = why;
    stopGroup(child);
  };
  // Latin-1 maps bytes to characters one to one. No byte has been read yet at this point.
  child.stdout?.setEncoding("latin1").on("data", (chunk: string) => {
    if (ending === "overflow") return;
    chunks.push(
      size + chunk.length > request.maxBytes ? chunk.slice(0, request.maxBytes - size) : chunk,
    );
    size += chunk.length;
    if (size > request.maxBytes) stop("overflow");
  });
  child.stderr?.on("data", (chunk: string) => {
    stderr = (stderr + chunk).slice(-STDERR_MAX_BYTES);
  });
  if (request.stdin !== undefined) child.stdin?.end(request.stdin);
  const timer = setTimeout(() => stop("timeout"), request.timeoutMs);
  const onAbort = (): void => stop("aborted");
  request.signal?.addEventListener("abort", onAbort, { once: true });
  // The signal may have come while the program was starting.
  if (request.signal?.aborted === true) stop("aborted");
  await whenExited(child);
  clearTimeout(timer);
  request.signal?.removeEventListener("abort", onAbort);
  return { bytes: Buffer.from(chunks.join(""), "latin1"), stderr, ending };
}

const withoutFinalNewline = (text: string): string =>
  text.endsWith("\n") ? text.slice(0, -1) : text;

type Failure = Partial<Settled> & { stderr?: string; ending?: Ending | undefined };

function failure(request: RunRequest, seen: Failure): OperationError {
  const command = commandText(request.argv);
  const [code, happened] = verdict(request, seen);
  const said = endOf(seen.stderr ?? "");
  const tried =
    request.what === undefined ? `cannot run ${command}` : `cannot ${request.what}: ${command}`;
  return new OperationError(`${tried}: ${happened}${said === "" ? "" : `: ${said}`}`, {
    code,
    retryable: code === "command-timeout",
    cause: seen.cause,
  });
}

function verdict(request: RunRequest, seen: Failure): [code: string, happened: string] {
  if (seen.ending === "timeout") return ["command-timeout", `no end after ${request.timeoutMs} ms`];
  if (seen.ending === "aborted") return ["command-aborted", "was cancelled"];
  if (seen.ending === "overflow")
    return ["output-too-large", `wrote over ${request.maxBytes} bytes`];
  if (seen.signalName !== undefined) return ["command-killed", `ended by ${seen.signalName}`];
  if (seen.exitCode !== undefined) return ["command-failed", `exit code ${seen.exitCode}`];
  const cause = seen.cause;
  const missing = errorCode(cause) === "ENOENT";
  if (missing)
    return ["command-missing", `${request.argv[0]} or the folder ${request.cwd} does not exist`];
  return ["command-failed", cause instanceof Error ? cause.message : "did not start"];
}
