// Runs one program to its end, with a limit on everything: the only way adapters start programs.
// It never uses a shell and never adds to the environment: what the caller gives is all there is.
// An expected exit code is a result; everything else is an OperationError that says what ran. Output
// is collected up to a bound, or passed on as a stream (`take`): a pack has no largest size.
import { once } from "node:events";
import { pipeline, Transform, type Readable } from "node:stream";
import { errorCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { commandText, endOf } from "./command-text.ts";
import { stopGroup, whenExited } from "./process-group.ts";
import { startProgram, type Program } from "./program.ts";
import { workMeter } from "./work-meter.ts";

export type RunRequest = {
  /** The program and its arguments. */
  argv: readonly [string, ...string[]];
  /** What people are told that ran, where other programs stand around it. */
  shown?: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Readonly<Record<string, string | undefined>>;
  /**
   * The longest it may run; with `limits: "silence"` the longest without any progress: no byte in or
   * out, and (where the system tells) no work of its processes.
   */
  timeoutMs: number;
  limits?: "run" | "silence";
  /** The most that stdout may hold, at most `COLLECTED_MAX_BYTES`; stderr keeps its last 64 kB. */
  maxBytes: number;
  /** Written to stdin, which is closed after it; without it stdin is empty. */
  stdin?: string | Uint8Array | Readable;
  /** Reads stdout to its end instead of having it collected; its failure ends the program. */
  take?: (stdout: Readable) => Promise<void>;
  /** Hears what it writes to stderr, as it comes. */
  onStderr?: (text: string) => void;
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

/** Half of what fits into one string of Node (2^29 - 24 characters). */
export const COLLECTED_MAX_BYTES = 256 * 1024 * 1024;
const STDERR_MAX_BYTES = 64 * 1024;
type Ending = "timeout" | "aborted" | "overflow" | "not-taken";

export async function run(request: RunRequest): Promise<RunResult> {
  if (request.maxBytes > COLLECTED_MAX_BYTES) {
    throw new Error(`maxBytes is ${request.maxBytes}, at most ${COLLECTED_MAX_BYTES} is allowed`);
  }
  if (request.signal?.aborted === true) throw failure(request, { ending: "aborted" });
  const seen = await follow(request);
  if (seen.ending === "not-taken") throw notTaken(request, seen);
  const cut = seen.ending === "overflow" && request.overflow === "truncate";
  const isResult = seen.ending === undefined && seen.exitCode !== undefined;
  if (!cut && !isResult) throw failure(request, seen);
  const exitCode = seen.exitCode ?? 0;
  if (!cut && !(request.expect ?? [0]).includes(exitCode)) throw failure(request, seen);
  return {
    stdout: withoutFinalNewline(seen.bytes.toString("utf8")),
    stderr: withoutFinalNewline(seen.stderr),
    exitCode,
    bytes: seen.bytes,
    truncated: cut,
  };
}

type Seen = {
  bytes: Buffer;
  stderr: string;
  ending: Ending | undefined;
  exitCode?: number;
  signalName?: string;
  cause?: unknown;
};

async function follow(request: RunRequest): Promise<Seen> {
  const { argv, cwd, env, stdin } = request;
  const stdio = [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"] as const;
  const child = await startProgram({ argv, cwd, env, stdio });
  const seen: Seen = { bytes: Buffer.alloc(0), stderr: "", ending: undefined };
  if ("cause" in child) return { ...seen, cause: child.cause };
  const stop = (why: Ending): void => {
    if (seen.ending !== undefined) return;
    seen.ending = why;
    stopGroup(child);
  };
  const meter = request.limits === "silence" ? workMeter(child.pid) : undefined;
  // Asked twice in the time of the limit: the second answer counts from the first on.
  const everyMs = meter === undefined ? request.timeoutMs : request.timeoutMs / 2;
  const timer = setTimeout(() => {
    if (meter?.() === true) timer.refresh();
    else stop("timeout");
  }, everyMs);
  const onBytes = (): void => {
    if (request.limits === "silence") timer.refresh();
  };
  const onAbort = (): void => stop("aborted");
  request.signal?.addEventListener("abort", onAbort, { once: true });
  // The signal may have come while the program was starting.
  if (request.signal?.aborted === true) stop("aborted");
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    onBytes();
    request.onStderr?.(chunk);
    seen.stderr = withoutOverwritten(seen.stderr + chunk).slice(-STDERR_MAX_BYTES);
  });
  feed(child, stdin, onBytes);
  const output = readOutput(child, request, { onBytes, stop });
  await whenExited(child, { mustDrain: request.take !== undefined });
  clearTimeout(timer);
  request.signal?.removeEventListener("abort", onAbort);
  Object.assign(seen, await output);
  if (child.exitCode !== null) seen.exitCode = child.exitCode;
  if (child.signalCode !== null) seen.signalName = child.signalCode;
  return seen;
}

/** A program that ends before it has read everything is judged by its exit code, not by that. */
function feed(child: Program, stdin: RunRequest["stdin"], onBytes: () => void): void {
  if (stdin === undefined || child.stdin === null) return;
  if (typeof stdin === "string" || stdin instanceof Uint8Array) {
    child.stdin.on("error", judgedByExitCode);
    child.stdin.end(stdin);
    return;
  }
  // A program that is started by another process may have closed its input by now; pipeline() throws then.
  if (child.stdin.destroyed) stdin.destroy();
  else pipeline(stdin, metered(onBytes), child.stdin, judgedByExitCode);
}

function judgedByExitCode(): void {}

/** Tells of every byte that passes, and passes it on. */
const metered = (onBytes: () => void): Transform =>
  new Transform({
    transform(chunk, _, done) {
      onBytes();
      done(null, chunk);
    },
  });

type Watch = { onBytes: () => void; stop: (why: Ending) => void };

async function readOutput(
  child: Program,
  request: RunRequest,
  { onBytes, stop }: Watch,
): Promise<Pick<Seen, "bytes" | "cause">> {
  const { stdout } = child;
  const none = Buffer.alloc(0);
  if (stdout === null) return { bytes: none };
  if (request.take !== undefined) {
    const stream = metered(onBytes);
    // Where one end breaks, the other is told; the exit codes say what it was.
    pipeline(stdout, stream, judgedByExitCode);
    try {
      await request.take(stream);
    } catch (error) {
      stop("not-taken");
      stdout.destroy();
      return { bytes: none, cause: error };
    }
    return { bytes: none };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  stdout.on("data", (chunk: Buffer) => {
    onBytes();
    if (size > request.maxBytes) return;
    chunks.push(chunk.subarray(0, request.maxBytes - size));
    size += chunk.length;
    if (size > request.maxBytes) stop("overflow");
  });
  await once(child, "close");
  return { bytes: Buffer.concat(chunks) };
}

/** A carriage return begins a line again, as programs do to show their progress. */
const withoutOverwritten = (text: string): string =>
  text.includes("\r") ? text.replaceAll(/[^\n]*\r(?=[^\n\r])/g, "") : text;

const withoutFinalNewline = (text: string): string =>
  text.endsWith("\n") ? text.slice(0, -1) : text;

type Failure = Partial<Omit<Seen, "bytes">>;

/** Who took the output failed; where the program failed by itself, that may be why. */
function notTaken(request: RunRequest, seen: Seen): unknown {
  const { cause, exitCode, signalName } = seen;
  if (!(cause instanceof OperationError) || exitCode === 0 || signalName !== undefined)
    return cause;
  const own = failure(request, { ...seen, ending: undefined, cause: undefined });
  const { code, retryable, hint } = cause;
  const message = `${cause.message} (${own.message})`;
  return new OperationError(message, { code, retryable, cause, hint });
}

function failure(request: RunRequest, seen: Failure): OperationError {
  const command = commandText(request.shown ?? request.argv);
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
  if (seen.ending === "timeout") {
    const missing =
      request.limits === "silence" ? "nothing was read or written for" : "it did not finish within";
    return ["command-timeout", `${missing} ${request.timeoutMs} ms`];
  }
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
