// Calls the command line as the shell does, with a client that answers from a list: what was
// asked, what was written and the exit code are what a test looks at.
import type { Client } from "../../src/cli/client.ts";
import type { Deps, ExitCode } from "../../src/cli/deps.ts";
import { runProgram } from "../../src/cli/program.ts";
import { COMMANDS } from "../../src/cli/registry.ts";
import { OperationError } from "../../src/lib/operation-error.ts";

export const NOW = Date.parse("2026-03-01T12:00:00.000Z");
/** Minutes before now, as the API tells times. */
export const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

export type World = {
  /** By `METHOD path`; an error is thrown, of an `Answers` each call takes the next. */
  answers?: Record<string, unknown>;
  isTty?: boolean;
  colour?: boolean;
  columns?: number;
  /** Of a terminal that shows stdout; without it there is none to fill. */
  rows?: number;
  daemonRuns?: boolean;
  files?: Record<string, string>;
  /** How often a follower is told of a change. */
  looks?: number;
  cwd?: string;
  env?: Record<string, string>;
};

export class Answers {
  readonly queue: unknown[];
  constructor(...queue: unknown[]) {
    this.queue = queue;
  }
}

export type Outcome = {
  code: ExitCode;
  stdout: string;
  stderr: string;
  /** What was asked of the daemon: `METHOD path`, with its body. */
  calls: [string, unknown?][];
  /** What was started in the terminal. */
  started: string[][];
  /** What was written to disk, by path. */
  written: Record<string, string>;
};

export async function pawl(argv: string[], world: World = {}): Promise<Outcome> {
  const outcome: Outcome = { code: 0, stdout: "", stderr: "", calls: [], started: [], written: {} };
  const deps = fakeDeps(world, outcome);
  const { stdout, stderr, version } = deps;
  const columns = deps.isTty ? deps.columns : undefined;
  const shell = { version, commands: COMMANDS, stdout, stderr, columns, deps: () => deps };
  outcome.code = await runProgram(argv, shell);
  return outcome;
}

/** The same on a terminal. */
export const pawlOnTty = (argv: string[], world: World = {}): Promise<Outcome> =>
  pawl(argv, { isTty: true, ...world });

function fakeDeps(world: World, outcome: Outcome): Deps {
  return {
    stdout: (text) => void (outcome.stdout += text),
    stderr: (text) => void (outcome.stderr += text),
    isTty: world.isTty ?? false,
    canAsk: false,
    colour: world.colour ?? false,
    columns: world.columns ?? 100,
    screen: () =>
      world.rows === undefined ? undefined : { columns: world.columns ?? 100, rows: world.rows },
    stderrColumns: () => 0,
    quitKey: () => ({ pressed: new Promise(() => undefined), close: () => undefined }),
    now: () => NOW,
    cwd: world.cwd ?? "/home/ada/toy",
    env: world.env ?? {},
    version: "1.2.3",
    client: fakeClient(world, outcome),
    user: "ada",
    newKey: () => "key-1",
    putText: async ({ path, text }) => void (outcome.written[path] = text),
    readText: async (path) => world.files?.[path] ?? fail(`no file ${path}`),
    runInTerminal: async (argv) => {
      outcome.started.push(argv);
      return 0;
    },
  };
}

function fakeClient(world: World, outcome: Outcome): Client {
  const answer = async (call: string, body?: unknown): Promise<never> => {
    outcome.calls.push(body === undefined ? [call] : [call, body]);
    const listed = world.answers?.[call];
    const found = listed instanceof Answers ? listed.queue.shift() : listed;
    if (found instanceof Error) throw found;
    // As over the wire, where undefined does not exist.
    return JSON.parse(JSON.stringify(found ?? fail(`no answer is given for ${call}`))) as never;
  };
  let looks = world.looks ?? 0;
  return {
    get: (path) => answer(`GET ${path}`),
    post: (path, body) => answer(`POST ${path}`, JSON.parse(JSON.stringify(body))),
    patch: (path, body) => answer(`PATCH ${path}`, JSON.parse(JSON.stringify(body))),
    daemonRuns: async () => world.daemonRuns ?? true,
    follow: async () => ({ changed: async () => looks-- > 0, close: () => undefined }),
    formulaAtWork: async (id) => ({
      view: () => answer(`GET /v1/formulas/runs/${id}`),
      changed: async () => undefined,
      close: async () => void outcome.calls.push(["closed"]),
    }),
    queueAtWork: async () => ({
      view: () => answer("GET /v1/queue"),
      changed: async () => undefined,
      close: async () => void outcome.calls.push(["closed"]),
    }),
  };
}

function fail(message: string): never {
  throw new OperationError(message, { code: "test" });
}
