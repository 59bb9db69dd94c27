// Speaks to the daemon over its Unix socket; where none runs, the same request is answered in
// process. Commands never know which.
import { appendFileSync } from "node:fs";
import { dirname } from "node:path";
import type { FormulaRunView } from "../api/formulas.ts";
import type { QueueView } from "../api/queue.ts";
import { SESSION_HEADER, sessionOf } from "../api/session-rights.ts";
import { daemonSocket, pawlHome, runtimeFolder } from "../config/home.ts";
import { checkPrivate, isOwnSocket } from "../config/private-folder.ts";
import { OperationError } from "../lib/operation-error.ts";
import type { FolderWatch } from "./folder-watch.ts";
import type { Follower } from "./follow-changes.ts";
import { LockPatience } from "./lock-patience.ts";
import { createWalledClient, walledSpool, type ReadAnswer } from "./walled-client.ts";
import { NO_ANSWER, overSocket, type Answer, type Patience } from "./over-socket.ts";

/** A lock is freed right after its holder's name was removed, and the name is what is seen. */
const LOCK_RETRY_MS = 250;
/** A daemon that answers within this time needs no ping, which each call would pay for. */
const PING_AFTER_MS = 500;
/** Within this time a daemon that is not stopped answers a ping, also on a busy machine. */
const PING_MAX_MS = 3000;

export type Method = "GET" | "POST" | "PATCH";
export type Call = { method: Method; path: string; body?: unknown };

export type Client = {
  /** A question changes nothing: the repository of this folder is not registered by it. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  /** True where a daemon answers. */
  daemonRuns(): Promise<boolean>;
  /**
   * Wakes when something may have changed: the daemon's change feed. Begin before the first read. With
   * `run`, also when the terminal of that run has shown more.
   */
  follow(options?: { run?: string }): Promise<Follower>;
  /** The project's merge queue at work: the daemon's, or one that works here until it is closed. */
  queueAtWork(): Promise<AtWork<QueueView>>;
  /** The same for one run of a formula. */
  formulaAtWork(id: string): Promise<AtWork<FormulaRunView>>;
};

export type AtWork<View> = {
  view(): Promise<View>;
  /** Resolves when it is time to look again. */
  changed(): Promise<unknown>;
  close(): Promise<void>;
};

export type ClientPlace = {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  version: string;
  /** `--project`, where it was given. */
  project: string | undefined;
  /** Where people are told that an answer is not the daemon's. */
  warn?: (text: string) => void;
};

/** `isHanging`: a daemon runs and does not answer. */
type Place = { home: string; runtime: string; version: string; isHanging?: true };

export function createClient(place: ClientPlace): Client {
  const headers = headersOf(place);
  const named = (call: Call): SentCall => ({
    ...(place.project === undefined ? call : withProject(call, place.project)),
    headers,
  });
  const read: ReadAnswer = async (answer, sent) => {
    if (answer.status >= 400) throw errorFrom(answer, sent);
    await mustFit(place.env, sent, answer.body);
    return answer.body;
  };
  const spool = walledSpool(place.env);
  return spool === undefined
    ? createOpenClient(place, { headers, named, read })
    : createWalledClient(spool, { named: (path) => named({ method: "GET", path }), read });
}

type Speech = {
  headers: SentCall["headers"];
  named: (call: Call) => SentCall;
  read: ReadAnswer;
};

function createOpenClient(place: ClientPlace, { headers, named, read }: Speech): Client {
  const home = pawlHome(place.env);
  const runtime = runtimeFolder(place.env, home);
  const socketPath = daemonSocket(runtime);
  const own: Place = { home, runtime, version: place.version };
  const folder = isOfFolder(place) ? place.cwd : undefined;

  async function send<T>(call: Call): Promise<T> {
    const sent = named(call);
    const here = async (from = own): Promise<Answer> =>
      (await import("./in-process.ts")).answerInProcess(sent, from);
    const answer = await byDaemonOrHere(own, {
      byDaemon: async () => {
        if (sent.method !== "GET") return byDaemonAt(socketPath, sent);
        const told = await unlessHanging(socketPath, sent);
        if (told !== HANGS) return told;
        place.warn?.("the daemon does not answer; this comes from its journal\n");
        return here({ ...own, isHanging: true });
      },
      here,
    });
    return (await read(answer, sent)) as T;
  }

  const daemonRuns = (): Promise<boolean> => answersAt(socketPath, headers);
  const lookAtQueue = named({ method: "GET", path: "/v1/queue" });
  const atDaemon = async <View>(look: SentCall): Promise<AtWork<View> | undefined> =>
    (await daemonRuns()) ? workOfDaemon({ socketPath, look, folder }, await follow()) : undefined;
  const follow: Client["follow"] = ({ run } = {}) => {
    const query = run === undefined ? "" : `?run=${encodeURIComponent(run)}`;
    return followAt({ socketPath, home }, named({ method: "GET", path: `/v1/changes${query}` }));
  };

  return {
    get: (path) => send({ method: "GET", path }),
    post: (path, body) => send({ method: "POST", path, body }),
    patch: (path, body) => send({ method: "PATCH", path, body }),
    daemonRuns,
    follow,
    queueAtWork: () =>
      byDaemonOrHere(own, {
        byDaemon: () => atDaemon<QueueView>(lookAtQueue),
        here: async () => (await import("./in-process.ts")).queueAtWork(lookAtQueue, own),
      }),
    formulaAtWork: (id) => {
      const look = named({ method: "GET", path: `/v1/formulas/runs/${encodeURIComponent(id)}` });
      return byDaemonOrHere(own, {
        byDaemon: () => atDaemon<FormulaRunView>(look),
        here: async () => (await import("./in-process.ts")).formulaAtWork(look, own),
      });
    },
  };
}

/** Neither an agent's own project nor one that was named: the project of the current folder. */
const isOfFolder = ({ env, project }: ClientPlace): boolean =>
  project === undefined && sessionOf(env) === undefined;

/** For commands that work: `folder` is registered where the daemon knows no project there. */
async function askDaemonToWork(
  socketPath: string,
  call: SentCall,
  folder: string | undefined,
): Promise<Answer | undefined> {
  const answer = await byDaemonAt(socketPath, call);
  if (folder === undefined || !isUnregistered(answer)) return answer;
  const { headers } = call;
  const register = { method: "POST", path: "/v1/projects", headers, body: { folder } } as const;
  const registered = await byDaemonAt(socketPath, register);
  const isDone = registered !== undefined && registered.status < 400;
  return isDone ? byDaemonAt(socketPath, call) : registered;
}

/**
 * Only where it is asked for, as tests do: the schemas take longer to load than most answers do. `1`
 * checks here; the path of a file leaves it to the test, which loads them once for all commands.
 */
async function mustFit(env: ClientPlace["env"], call: SentCall, body: unknown): Promise<void> {
  const asked = env["PAWL_CHECK_ANSWERS"] ?? "";
  if (asked === "" || (asked !== "1" && isNoted(asked, call, body))) return;
  (await import("./check-answer.ts")).checkAnswer(call, body);
}

/** False where this command may not write there. */
function isNoted(file: string, { method, path }: SentCall, body: unknown): boolean {
  try {
    appendFileSync(file, `\n${JSON.stringify({ method, path, body })}`);
    return true;
  } catch {
    return false;
  }
}

export const isUnregistered = (answer: Answer | undefined): boolean =>
  answer?.status === 404 &&
  (answer.body as { error?: { code?: string } }).error?.code === "no-project";

function headersOf({ env, cwd, version }: ClientPlace): Record<string, string> {
  const session = sessionOf(env);
  return {
    ...(session === undefined ? {} : { [SESSION_HEADER]: encodeURIComponent(session) }),
    "x-pawl-cwd": encodeURIComponent(cwd),
    "x-pawl-version": version,
    "content-type": "application/json",
  };
}

type Ways<T> = { byDaemon: () => Promise<T | undefined>; here: () => Promise<T> };

/**
 * Another command may hold the lock for the moment that it needs, or a daemon may be starting:
 * both are soon over, so that it is tried again instead of handed to the user. What is needed to
 * answer here is loaded only then: it brings the whole engine with it.
 */
async function byDaemonOrHere<T>({ home, runtime }: Place, ways: Ways<T>): Promise<T> {
  const patience = new LockPatience();
  let watched: FolderWatch | undefined;
  try {
    for (;;) {
      const served = (await ways.byDaemon()) ?? (await unlessBusy(ways.here, patience));
      if (served !== undefined) return served;
      watched ??= (await import("./folder-watch.ts")).watchFolders([home, runtime]);
      await watched.changed(LOCK_RETRY_MS);
    }
  } finally {
    watched?.close();
  }
}

/** Undefined where another program holds the factory, and may be waited for. */
async function unlessBusy<T>(
  work: () => Promise<T>,
  patience: LockPatience,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const isBusy = error instanceof OperationError && error.code === "daemon-running";
    if (!isBusy || patience.isOver(/pid \d+/.exec(error.message)?.[0])) throw error;
    return undefined;
  }
}

const HANGS = Symbol("the daemon hangs");

async function unlessHanging(
  socketPath: string,
  call: SentCall,
): Promise<Answer | undefined | typeof HANGS> {
  const unwanted = new AbortController();
  const answer = byDaemonAt(socketPath, call, { signal: unwanted.signal });
  const { promise: late, resolve } = Promise.withResolvers<typeof HANGS>();
  const timer = setTimeout(() => resolve(HANGS), PING_AFTER_MS);
  try {
    const first = await Promise.race([answer, late]);
    if (first !== HANGS) return first;
    const hangs = isHanging(socketPath, call.headers);
    if (!(await Promise.race([hangs, answer.then(() => false)]))) return await answer;
  } catch (error) {
    // It was just ending. A question changes nothing, so that it can be asked again.
    if (error instanceof OperationError && error.code === "hung-up") {
      return await byDaemonAt(socketPath, call);
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
  answer.catch(() => undefined);
  unwanted.abort();
  return HANGS;
}

/**
 * A daemon that is stopped (SIGSTOP, a debugger) accepts connections and never answers. One that is
 * only busy answers a ping, and the client waits for its answer however long it takes.
 */
async function isHanging(socketPath: string, headers: SentCall["headers"]): Promise<boolean> {
  const ping = { method: "GET", path: "/v1/ping", headers } as const;
  try {
    await byDaemonAt(socketPath, ping, { timeoutMs: PING_MAX_MS });
    return false;
  } catch (error) {
    if (error instanceof OperationError && error.code === NO_ANSWER) return true;
    if (error instanceof OperationError && error.code === "hung-up") return false;
    throw error;
  }
}

async function answersAt(socketPath: string, headers: SentCall["headers"]): Promise<boolean> {
  try {
    const ping = { method: "GET", path: "/v1/ping", headers } as const;
    return (await byDaemonAt(socketPath, ping, { timeoutMs: PING_MAX_MS })) !== undefined;
  } catch (error) {
    if (error instanceof OperationError && error.code === NO_ANSWER) return true;
    // One that hangs up on us is just ending.
    if (error instanceof OperationError && error.code === "hung-up") return false;
    throw error;
  }
}

async function followAt(
  place: { socketPath: string; home: string },
  { path, headers }: SentCall,
): Promise<Follower> {
  checkPrivate(dirname(place.socketPath));
  return (await import("./follow-changes.ts")).followChanges({ ...place, path, headers });
}

/** The daemon works by itself: it is only looked at, and one that ended works no more. */
const workOfDaemon = <View>(
  { socketPath, look, folder }: { socketPath: string; look: SentCall; folder: string | undefined },
  follower: Follower,
): AtWork<View> => ({
  view: async () => {
    const answer = await askDaemonToWork(socketPath, look, folder);
    if (answer === undefined) throw daemonEnded();
    if (answer.status < 400) return answer.body as View;
    throw errorFrom(answer, look);
  },
  changed: () => follower.changed(),
  close: async () => follower.close(),
});

const daemonEnded = (): OperationError =>
  new OperationError("the daemon ended while you watched it", {
    code: "unreachable",
    hint: "`pawl up` starts it again; it resumes where it was",
  });

function withProject(call: Call, project: string): Call {
  const joint = call.path.includes("?") ? "&" : "?";
  return { ...call, path: `${call.path}${joint}project=${encodeURIComponent(project)}` };
}

export type SentCall = Call & { headers: Record<string, string> };

/** Undefined where no daemon listens: no socket, or one that a dead daemon left behind. */
async function byDaemonAt(
  socketPath: string,
  call: SentCall,
  patience?: Patience,
): Promise<Answer | undefined> {
  // Before anything is sent, and before the same folder is used to answer here.
  checkPrivate(dirname(socketPath));
  return isOwnSocket(socketPath) ? overSocket(socketPath, call, patience) : undefined;
}

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
