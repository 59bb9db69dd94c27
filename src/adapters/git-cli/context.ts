// What every part of the git adapter shares: where the hub is, what upstream is, how git is called.
// All calls of git go through here, so that none runs without its limits and its environment.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ProjectConfig, Upstream } from "../../core/config.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { RunRequest, RunResult } from "../shared/run.ts";
import { run as runProgram } from "../shared/run.ts";
import { setApart, type Apart } from "./git-in-walls.ts";
import type { Environment, Reach } from "./environment.ts";
import { gitEnvironment, withSettings } from "./environment.ts";
import { overWorkTree } from "./release-fifos.ts";
import { Progress } from "./progress.ts";
import { createSerial } from "../shared/serial.ts";

export type GitOptions = {
  /** The path of the project's hub.git. */
  hub: string;
  upstream: Upstream;
  /** The name of the target branch. */
  target: string;
  config: ProjectConfig["git"];
  /** The only folders that are files in workspaces; undefined or empty for all. */
  sparse?: readonly string[] | undefined;
  /** Larger files are not saved in checkpoints: their workspace stays until a person decides. */
  fileMaxBytes?: number;
  crash: CrashPoint;
  /** What git sends to URLs below this one; it goes through the environment of single commands. */
  access?: { url: string; header: string } | undefined;
  /** Where names on the allow-list are taken from; the process's own unless told. */
  env?: Environment;
  /** Walls around every git that looks into a workspace; undefined where the project has none. */
  apart?: Apart | undefined;
};

export type GitCall = {
  args: string[];
  /** The repository: GIT_DIR. Without it git finds one from `cwd`. */
  dir?: string;
  cwd?: string;
  /** `upstream`, for everything over a network: as `user`, and with what the forge wants to see. */
  reach?: Reach | "upstream";
  env?: Environment;
  settings?: [key: string, value: string][];
  stdin?: RunRequest["stdin"];
  /** Reads stdout as a stream of any size; it is not collected then. */
  take?: RunRequest["take"];
  expect?: number[];
  timeoutMs?: number;
  /** `run` where what it talks to may keep it busy for ever; else only its silence has a limit. */
  limits?: RunRequest["limits"];
  maxBytes?: number;
  overflow?: "fail" | "truncate";
  signal?: AbortSignal;
  what?: string;
};

/**
 * How long a git may do nothing: neither read nor write nor compute. How long it may take depends on
 * the size of a repository, so that nothing limits that, unless a call says so.
 */
export const LOCAL_TIMEOUT_MS = 120_000;
export const NETWORK_TIMEOUT_MS = 600_000;
/** Tried again for a long time (`isOutage`). */
export const UPSTREAM_UNREACHABLE = "upstream-unreachable";
const FILE_MAX_BYTES = 256 * 1024 * 1024;
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

/**
 * How git is told to serve a fetch from a path: our own environment does not reach that side. A hook
 * for pack-objects counts only in the user's own configuration, so that a workspace cannot set one
 * (an empty one on this line would be run, and fail).
 */
export const UPLOAD_PACK = [
  "git -c 'safe.directory=*' -c core.hooksPath=/dev/null -c core.fsmonitor=false",
  "-c uploadpack.allowAnySHA1InWant=true upload-pack",
].join(" ");

/** A fetch that leaves nothing behind besides the refs it is asked for, and says how far it is. */
export const FETCH = ["fetch", "--progress", "--no-tags", "--no-write-fetch-head"];
/** The same from a repository on this machine. */
export const FETCH_LOCAL = [...FETCH, `--upload-pack=${UPLOAD_PACK}`];

export type GitContext = ReturnType<typeof createContext>;

export function createContext(options: GitOptions) {
  const outer = options.env ?? process.env;
  const environments = {
    private: gitEnvironment(outer, "private"),
    user: gitEnvironment(outer, "user"),
  };

  // Never in a file, and never on a command line, where every user of the machine could read it.
  const access: [string, string][] =
    options.access === undefined
      ? []
      : [[`http.${options.access.url}.extraHeader`, options.access.header]];

  const progress = new Progress();
  const { apart, hub } = options;
  const run = async (request: RunRequest): Promise<RunResult> =>
    runProgram(apart === undefined ? request : await setApart(request, { ...apart, hub }));
  const git = (call: GitCall): Promise<RunResult> => {
    const base = environments[call.reach === "upstream" ? "user" : (call.reach ?? "private")];
    const more = [...(call.settings ?? []), ...(call.reach === "upstream" ? access : [])];
    const settled = more.length === 0 ? base : withSettings(base, more);
    const { stdin, take, expect, what, overflow, signal } = call;
    const request: RunRequest = {
      argv: ["git", ...call.args],
      cwd: call.cwd ?? call.dir ?? options.hub,
      env: { ...settled, ...(call.dir === undefined ? {} : { GIT_DIR: call.dir }), ...call.env },
      timeoutMs: call.timeoutMs ?? LOCAL_TIMEOUT_MS,
      limits: call.limits ?? "silence",
      maxBytes: call.maxBytes ?? OUTPUT_MAX_BYTES,
      ...(take === undefined ? {} : { take }),
      ...(stdin === undefined ? {} : { stdin }),
      ...(expect === undefined ? {} : { expect }),
      ...(overflow === undefined ? {} : { overflow }),
      ...(what === undefined ? {} : { what }),
      ...(signal === undefined ? {} : { signal }),
    };
    const workTree = call.env?.["GIT_WORK_TREE"];
    const running = progress.follow(workTree ?? call.dir ?? request.cwd, (onStderr) => {
      if (workTree === undefined) return run({ ...request, onStderr });
      return overWorkTree(workTree, (signal) => run({ ...request, onStderr, signal }));
    });
    return orGone(options, request.cwd, running);
  };

  return {
    ...options,
    sparse: options.sparse ?? [],
    fileMaxBytes: options.fileMaxBytes ?? FILE_MAX_BYTES,
    /** Pawl's own files inside the hub; git ignores folders it does not know. */
    privateDir: join(options.hub, "pawl"),
    targetRef: `refs/pawl/target/${options.target}`,
    git,
    progress,
    /** A call in the hub. */
    inHub: (args: string[], more: Omit<GitCall, "args" | "dir"> = {}): Promise<RunResult> =>
      git({ args, dir: options.hub, ...more }),
    serial: createSerial(),
  };
}

export const isMissing = (error: unknown): boolean =>
  error instanceof OperationError && error.code === "command-missing";

/** The user's repository was there and is not any more: it may be renamed back in a moment. */
async function orGone<T>(options: GitOptions, folder: string, running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    const { path } = options.upstream;
    const isInside = folder === path || folder.startsWith(`${path}/`);
    if (!isMissing(error) || !isInside || existsSync(folder)) throw error;
    throw repositoryGone(path, error);
  }
}

export const repositoryGone = (path: string, cause: unknown): OperationError =>
  new OperationError(`cannot find the git repository in ${path}`, {
    code: UPSTREAM_UNREACHABLE,
    hint: "if you renamed or moved it, move it back; Pawl tries again",
    retryable: true,
    cause,
  });

/** A memory of its own for each adapter: what is in it is lost with the process, and may be. */
export function perContext<T>(make: () => T): (context: GitContext) => T {
  const made = new WeakMap<GitContext, T>();
  return (context) => {
    const known = made.get(context);
    if (known !== undefined) return known;
    const fresh = make();
    made.set(context, fresh);
    return fresh;
  };
}
