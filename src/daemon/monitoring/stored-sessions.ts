// Monitored sessions on disk: one folder each, made exclusively, so that a second spawn in the same
// second gets a name of its own and touches nothing of the first.
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readUntrusted } from "../../adapters/shared/untrusted-file.ts";
import { writeWhole } from "../../adapters/shared/write-whole.ts";
import { isSessionName } from "../../core/monitoring/session-name.ts";
import { errorCode } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { GitFacts } from "./git-facts.ts";
import type { MonitorPlace } from "./monitor-place.ts";

export type StoredSession = {
  schemaVersion: 1;
  name: string;
  step: string;
  epic: string;
  story: string;
  agent: string;
  root: string;
  hash: string;
  git: GitFacts;
  createdAt: number;
};

export type FoundSession = StoredSession & { dir: string };

const STATE = "state.json";
const STATE_MAX_BYTES = 1024 * 1024;
const NAMES_MAX = 20;

/** Takes the name, or the name with something random behind it; the folder is then ours. */
export async function claimName(place: MonitorPlace, wanted: string): Promise<string> {
  if (!isSessionName(wanted)) {
    throw new OperationError(`cannot name a session "${wanted}"`, {
      code: "usage",
      hint: "steps, epics and stories have letters, digits, dots and dashes",
    });
  }
  await mkdir(place.sessions, { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < NAMES_MAX; attempt++) {
    const name = attempt === 0 ? wanted : `${wanted}-${randomBytes(2).toString("hex")}`;
    const elsewhere = await hashesWith(place, name);
    if (elsewhere.length === 0 && (await makeFolder(join(place.sessions, name)))) return name;
  }
  throw new OperationError(`cannot name a session ${wanted}: ${NAMES_MAX} like it are taken`, {
    code: "session-names-exhausted",
    hint: "end sessions that are not needed: pawl tmux-wrapper kill-all --project-only",
  });
}

async function makeFolder(dir: string): Promise<boolean> {
  try {
    await mkdir(dir, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The projects that have a session of exactly this name. */
async function hashesWith({ monitor }: MonitorPlace, name: string): Promise<string[]> {
  const hashes = await names(monitor);
  const there = await Promise.all(
    hashes.map((hash) => isFolder(join(monitor, hash, "sessions", name))),
  );
  return hashes.filter((_, index) => there[index]);
}

const isFolder = async (path: string): Promise<boolean> =>
  (await ifThere(stat(path)))?.isDirectory() ?? false;

export const storeSession = (dir: string, session: StoredSession): Promise<void> =>
  writeWhole(join(dir, STATE), `${JSON.stringify(session)}\n`);

/** Exactly this name, in this project first. */
export async function findSession(
  place: MonitorPlace,
  name: string,
): Promise<FoundSession | undefined> {
  if (!isSessionName(name)) return undefined;
  const own = await readSession(join(place.sessions, name));
  if (own !== undefined) return own;
  for (const hash of await hashesWith(place, name)) {
    const found = await readSession(join(place.monitor, hash, "sessions", name));
    if (found !== undefined) return found;
  }
  return undefined;
}

export async function listSessions(
  place: MonitorPlace,
  options: { projectOnly: boolean },
): Promise<FoundSession[]> {
  const hashes = options.projectOnly ? [place.hash] : await names(place.monitor);
  const found: FoundSession[] = [];
  for (const hash of hashes) {
    const folder = join(place.monitor, hash, "sessions");
    for (const name of await names(folder)) {
      const session = await readSession(join(folder, name));
      if (session !== undefined) found.push(session);
    }
  }
  return found.toSorted((a, b) => a.createdAt - b.createdAt || a.name.localeCompare(b.name));
}

export const removeSession = (dir: string): Promise<void> =>
  rm(dir, { recursive: true, force: true, maxRetries: 5 });

/** Written before the session is ended, so that a monitor does not take the end for a crash. */
export const markKilled = (dir: string): Promise<void> => writeWhole(join(dir, "killed"), "");

export async function isKilled(dir: string): Promise<boolean> {
  return (await names(dir)).includes("killed");
}

export async function readSession(dir: string): Promise<FoundSession | undefined> {
  const text = await readUntrusted(join(dir, STATE), STATE_MAX_BYTES);
  try {
    return text === undefined ? undefined : { ...(JSON.parse(text) as StoredSession), dir };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const names = async (folder: string): Promise<string[]> => (await ifThere(readdir(folder))) ?? [];
