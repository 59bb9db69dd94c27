// One request over the daemon's Unix socket, in HTTP/1.1 written by hand: node's own client costs
// 70 ms of CPU at every start, this one 6. One answer per connection, whole before it is read.
import { connect } from "node:net";
import { OperationError } from "../lib/operation-error.ts";

/** Longer than `down --kill-agents` may take. */
const TIMEOUT_MS = 90_000;
const ANSWER_MAX_BYTES = 256 * 1024 * 1024;

export type SocketCall = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
};
/** `signal`: the answer is no longer wanted. */
export type Patience = { timeoutMs?: number; signal?: AbortSignal };
export type Answer = { status: number; body: unknown };

/** Undefined where no process listens: a socket that a dead daemon left behind. */
export function overSocket(
  socketPath: string,
  call: SocketCall,
  { timeoutMs = TIMEOUT_MS, signal }: Patience = {},
): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const socket = connect(socketPath);
    socket.setTimeout(timeoutMs, () => socket.destroy(timedOut(call, timeoutMs)));
    signal?.addEventListener("abort", () => socket.destroy(timedOut(call, timeoutMs)));
    socket.on("connect", () => socket.write(requestText(call)));
    socket.on("data", (part) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > ANSWER_MAX_BYTES) socket.destroy(tooLong(call));
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(undefined);
      else reject(error instanceof OperationError ? error : unreachable(error));
    });
    socket.on("end", () => {
      socket.end();
      try {
        resolve(readAnswer(Buffer.concat(parts)));
      } catch (error) {
        reject(error as OperationError);
      }
    });
  });
}

function requestText({ method, path, headers, body }: SocketCall): Buffer {
  const content = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: pawl",
    "connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${content.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), content]);
}

/** Exported for its test: what was cut short is a daemon that hung up, never half an answer. */
export function readAnswer(answer: Buffer): Answer {
  const end = answer.indexOf("\r\n\r\n");
  const [first = "", ...lines] = answer.toString("latin1", 0, Math.max(end, 0)).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  if (end === -1 || !Number.isInteger(status)) throw hungUp();
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const rest = answer.subarray(end + 4);
  const isChunked = headers.get("transfer-encoding")?.toLowerCase() === "chunked";
  const content = isChunked ? joinChunks(rest) : rest;
  const length = headers.get("content-length");
  if (length !== undefined && content.length < Number(length)) throw hungUp();
  return { status, body: parse(content.toString("utf8")) };
}

function joinChunks(content: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = content.indexOf("\r\n", at);
    const size = end === -1 ? Number.NaN : Number.parseInt(content.toString("latin1", at, end), 16);
    if (size === 0) return Buffer.concat(chunks);
    if (!Number.isInteger(size) || end + 2 + size > content.length) throw hungUp();
    chunks.push(content.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OperationError(
      `the daemon answered something that is not JSON: ${text.slice(0, 200)}`,
      { code: "bad-answer", cause },
    );
  }
}

/**
 * The code says that it may still answer: a command that only reads can read the journal itself.
 */
export const NO_ANSWER = "no-answer";

const timedOut = ({ method, path }: SocketCall, timeoutMs: number): OperationError =>
  new OperationError(`the daemon did not answer ${method} ${path} in ${timeoutMs / 1000} s`, {
    code: NO_ANSWER,
    hint: "look at daemon.log in PAWL_HOME; `pawl down` and `pawl up` start it again, agents keep running",
  });

const tooLong = ({ method, path }: SocketCall): OperationError =>
  new OperationError(
    `the daemon answered ${method} ${path} with more than ${ANSWER_MAX_BYTES} bytes`,
    { code: "bad-answer" },
  );

const HINT = "it may have just stopped: check with `pawl status`, then try again";
const HUNG_UP: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE"]);

const hungUp = (): OperationError =>
  new OperationError("cannot reach the daemon: it closed the connection before it answered", {
    code: "hung-up",
    hint: HINT,
  });

const unreachable = (cause: NodeJS.ErrnoException): OperationError =>
  new OperationError(`cannot reach the daemon: ${cause.message}`, {
    code: HUNG_UP.has(cause.code) ? "hung-up" : "unreachable",
    hint: HINT,
    cause,
  });
