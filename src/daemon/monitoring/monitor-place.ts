// Where monitored sessions of one project live, and what reaches them. A project is its resolved
// root: two checkouts with the same folder name have different hashes and never share anything.
import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createSessionFiles } from "../../adapters/session-files/session-files.ts";
import { createTerminal } from "../../adapters/terminal-tmux/terminal.ts";
import { pawlHome, runtimeFolder } from "../../config/home.ts";
import { usePrivate } from "../../config/private-folder.ts";
import { projectSlug } from "../../core/monitoring/session-name.ts";
import { noCrash } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { SessionFiles } from "../../ports/session-files.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { pathsOf } from "../host/paths.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type MonitorPlace = {
  root: string;
  hash: string;
  slug: string;
  /** Of all projects. */
  monitor: string;
  sessions: string;
  outputs: string;
  ledger: string;
  env: Environment;
  terminal: Terminal;
  files: SessionFiles;
};

const HASH_LENGTH = 12;

export function openPlace(options: {
  env: Environment;
  cwd: string;
  projectRoot?: string | undefined;
}): MonitorPlace {
  const { env } = options;
  const home = pawlHome(env);
  const root = rootOf(options);
  const hash = createHash("sha256").update(root).digest("hex").slice(0, HASH_LENGTH);
  const monitor = join(home, "monitor");
  const folder = join(monitor, hash);
  const runtime = runtimeFolder(env, home);
  const socket = pathsOf(home, runtime).tmux;
  usePrivate(runtime);
  return {
    root,
    hash,
    slug: projectSlug(basename(root)),
    monitor,
    sessions: join(folder, "sessions"),
    outputs: join(folder, "outputs"),
    ledger: join(folder, "ledger.jsonl"),
    env,
    terminal: createTerminal({ socket, crash: noCrash }),
    files: createSessionFiles({ crash: noCrash }),
  };
}

/** The place of a session's own project: it may be watched from anywhere. */
export const placeOf = (place: MonitorPlace, session: { root: string; hash: string }) =>
  session.hash === place.hash
    ? place
    : openPlace({ env: place.env, cwd: session.root, projectRoot: session.root });

/** What was said, else the repository around this folder, else the folder. */
function rootOf(options: { env: Environment; cwd: string; projectRoot?: string | undefined }) {
  const named = options.projectRoot ?? options.env["PROJECT_ROOT"];
  if (named !== undefined && named !== "") return namedRoot(resolve(options.cwd, named));
  const start = realpathSync(options.cwd);
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
  }
  return start;
}

function namedRoot(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  throw new OperationError(`there is no project at ${path}`, {
    code: "usage",
    hint: "--project-root and PROJECT_ROOT name a folder",
  });
}
