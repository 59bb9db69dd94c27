// Speaks to the daemon over its Unix socket; where none runs, the same request is answered in
// process. Commands never know which.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { QueueView } from "../api/queue.ts";
import { pawlHome, runtimeFolder } from "../config/home.ts";
import { OperationError } from "../lib/operation-error.ts";

/** Longer than `down --kill-agents` may take. */
const TIMEOUT_MS = 90_000;
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 50;
/** How often a daemon's queue is looked at. */
const LOOK_AGAIN_MS = 200;

export type Method = "GET" | "POST" | "PATCH";
export type Call = { method: Method; path: string; body?: unknown };
export type Answer = { status: number; body: unknown };

export type Client = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  /** True where a daemon answers. */
  daemonRuns(): Promise<boolean>;
  /** The project's merge queue at work: the daemon's, or one that works here until it is closed. */
  queueAtWork(): Promise<QueueAtWork>;
};

export type QueueAtWork = {
  view(): Promise<QueueView>;
  /** Resolves when it is time to look again. */
  changed(): Promise<void>;
  close(): Promise<void>;
};

export type ClientPlace = {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  version: string;
  /** `--project`, where it was given. */
  project: string | undefined;
};

export function createClient(place: ClientPlace): Client {
  const home = pawlHome(place.env);
  const runtime = runtimeFolder(place.env, home);
  const socketPath = join(runtime, "daemon.sock");
  const own = { home, runtime, version: place.version };
  const headers = {
    "x-pawl-cwd": encodeURIComponent(place.cwd),
    "content-type": "application/json",
  };
  const named = (call: Call): SentCall => ({
    ...(place.project === undefined ? call : withProject(call, place.project)),
    headers,
  });

  async function send<T>(call: Call): Promise<T> {
    const sent = named(call);
    const answer = await byDaemonOrHere({
      byDaemon: () => overSocket(socketPath, sent),
      here: async () => (await import("./in-process.ts")).answerInProcess(sent, own),
    });
    if (answer.status < 400) return answer.body as T;
    throw errorFrom(answer, sent);
  }

  const daemonRuns = (): Promise<boolean> => answersAt(socketPath, headers);
  const lookAtQueue = named({ method: "GET", path: "/v1/queue" });

  return {
    get: (path) => send({ method: "GET", path }),
    post: (path, body) => send({ method: "POST", path, body }),
    patch: (path, body) => send({ method: "PATCH", path, body }),
    daemonRuns,
    queueAtWork: () =>
      byDaemonOrHere({
        byDaemon: async () =>
          (await daemonRuns()) ? queueOfDaemon(socketPath, lookAtQueue) : undefined,
        here: async () => (await import("./in-process.ts")).queueAtWork(lookAtQueue, own),
      }),
  };
}

/**
 * Another command may hold the lock for the moment that it needs, or a daemon may be starting:
 * both are soon over, so that it is tried again instead of handed to the user. What is needed to
 * answer here is loaded only then: it brings the whole engine with it.
 */
async function byDaemonOrHere<T>(ways: {
  byDaemon: () => Promise<T | undefined>;
  here: () => Promise<T>;
}): Promise<T> {
  const giveUpAt = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    const served = await ways.byDaemon();
    if (served !== undefined) return served;
    try {
      return await ways.here();
    } catch (error) {
      const isBusy = error instanceof OperationError && error.code === "daemon-running";
      if (!isBusy || Date.now() > giveUpAt) throw error;
    }
    await setTimeout(LOCK_RETRY_MS);
  }
}

async function answersAt(socketPath: string, headers: SentCall["headers"]): Promise<boolean> {
  try {
    const ping = { method: "GET", path: "/v1/ping", headers } as const;
    return (await overSocket(socketPath, ping)) !== undefined;
  } catch (error) {
    // One that hangs up on us is just ending.
    if (error instanceof OperationError && error.code === "hung-up") return false;
    throw error;
  }
}

/** The daemon works by itself: it is only looked at, and a daemon that ended is no queue at work. */
const queueOfDaemon = (socketPath: string, look: SentCall): QueueAtWork => ({
  view: async () => {
    const answer = await overSocket(socketPath, look);
    if (answer === undefined) throw daemonEnded();
    if (answer.status < 400) return answer.body as QueueView;
    throw errorFrom(answer, look);
  },
  changed: () => setTimeout(LOOK_AGAIN_MS),
  close: async () => undefined,
});

const daemonEnded = (): OperationError =>
  new OperationError("the daemon ended while it worked on the merge queue", {
    code: "unreachable",
    hint: "`pawl up` starts it again; it goes on where it was",
  });

function withProject(call: Call, project: string): Call {
  const joint = call.path.includes("?") ? "&" : "?";
  return { ...call, path: `${call.path}${joint}project=${encodeURIComponent(project)}` };
}

export type SentCall = Call & { headers: Record<string, string> };

/** Undefined where nobody listens: no socket, or one that a dead daemon left behind. */
async function overSocket(socketPath: string, call: SentCall): Promise<Answer | undefined> {
  if (!existsSync(socketPath)) return undefined;
  // Loaded only where somebody may listen: it costs 30 ms.
  const { request: httpRequest } = await import("node:http");
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        socketPath,
        path: call.path,
        method: call.method,
        headers: call.headers,
        timeout: TIMEOUT_MS,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(parts).toString("utf8");
          try {
            resolve({ status: response.statusCode ?? 500, body: parse(text) });
          } catch (error) {
            reject(error as OperationError);
          }
        });
      },
    );
    request.on("timeout", () => request.destroy(timedOut(call)));
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(undefined);
      else reject(error instanceof OperationError ? error : unreachable(error));
    });
    if (call.body !== undefined) request.write(JSON.stringify(call.body));
    request.end();
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OperationError(
      `the daemon answered something that is not JSON: ${text.slice(0, 200)}`,
      {
        code: "bad-answer",
        cause,
      },
    );
  }
}

const timedOut = (call: Call): OperationError =>
  new OperationError(
    `the daemon did not answer ${call.method} ${call.path} in ${TIMEOUT_MS / 1000} s`,
    {
      code: "unreachable",
      hint: "look at daemon.log in PAWL_HOME; `pawl down` and `pawl up` start it again, agents live on",
    },
  );

const HUNG_UP: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE"]);

const unreachable = (cause: NodeJS.ErrnoException): OperationError =>
  new OperationError(`cannot reach the daemon: ${cause.message}`, {
    code: HUNG_UP.has(cause.code) ? "hung-up" : "unreachable",
    hint: "it may have just ended: look with `pawl status`, and try again",
    cause,
  });

export function errorFrom(answer: Answer, call: Call): OperationError {
  const { error } = answer.body as { error?: { code?: string; message?: string; hint?: string } };
  return new OperationError(
    error?.message ?? `${call.method} ${call.path} failed (${answer.status})`,
    {
      code: error?.code ?? "unexpected",
      hint: error?.hint,
    },
  );
}
