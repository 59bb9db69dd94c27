// One daemon per factory: the lock is an exclusive transaction on `lock.db`, held for as long as
// its holder lives. The kernel frees it with the holder, also after kill -9, so that there is no
// stale lock to clean up and no pid to trust. Who holds it is told by a file beside it, because the
// database itself cannot be read meanwhile. Nothing but SQLite may open lock.db (see
// sqlite/connection.ts: closing a descriptor drops the lock).
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { errorCode } from "../lib/error-code.ts";
import { createPrivate } from "./sqlite/connection.ts";
import { storeError } from "./sqlite/failure.ts";

export type LockHolder = {
  pid: number;
  host: string;
  startedAt: number;
  version: string;
  /** `merge-queue process`: what was typed, without its options. Absent in files of older versions. */
  command?: string;
};

export type Lock =
  | { kind: "held"; release(): void }
  /** The holder is unknown for the instant between taking the lock and writing its name. */
  | { kind: "busy"; holder: LockHolder | undefined };

/**
 * Two that ask in the same instant hold each other up (one has announced itself, the other is still
 * looking); waiting this long lets exactly one of them through.
 */
const CONTEST_MS = 100;

const SQLITE_BUSY = 5;

/**
 * Locks that this program holds. A connection without references is closed by the garbage
 * collector, and the lock with it: a caller that never releases would lose it within a second.
 */
const held = new Set<DatabaseSync>();

export function acquireLock(path: string, self: { version: string }): Lock {
  let db: DatabaseSync | undefined;
  try {
    createPrivate(path);
    db = new DatabaseSync(path, { timeout: CONTEST_MS });
    db.exec("BEGIN EXCLUSIVE");
    writeHolder(path, describeSelf(self.version));
    return hold(path, db);
  } catch (error) {
    db?.close();
    if (isBusy(error)) return { kind: "busy", holder: readHolder(path) };
    throw storeError(error, { what: "lock", path });
  }
}

function hold(path: string, db: DatabaseSync): Lock {
  held.add(db);
  return {
    kind: "held",
    release() {
      if (!held.delete(db)) return;
      // First the name, then the lock: the next holder's name must not be removed.
      rmSync(holderFile(path), { force: true });
      db.close();
    },
  };
}

function describeSelf(version: string): LockHolder {
  const startedAt = Math.round(performance.timeOrigin);
  const command = typedCommand(process.argv);
  return { pid: process.pid, host: hostname(), startedAt, version, command };
}

/** At most two words, and nothing that could be a secret. */
function typedCommand([, , ...words]: readonly string[]): string {
  const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  return words.slice(0, Math.min(2, end === -1 ? words.length : end)).join(" ");
}

const holderFile = (path: string): string => `${path}.holder.json`;

function writeHolder(path: string, holder: LockHolder): void {
  const partial = `${holderFile(path)}.partial`;
  writeFileSync(partial, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  renameSync(partial, holderFile(path));
}

function readHolder(path: string): LockHolder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(holderFile(path), "utf8"));
    return isHolder(holder) && isAlive(holder) ? holder : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === "ENOENT") return undefined;
    throw storeError(error, { what: "read the holder of", path });
  }
}

/** A holder that was killed left its name: the one who holds the lock now has not written its own. */
function isAlive(holder: LockHolder): boolean {
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    // EPERM: it lives, under another user.
    return code !== "ESRCH";
  }
}

function isHolder(value: unknown): value is LockHolder {
  if (typeof value !== "object" || value === null) return false;
  const { pid, host, startedAt, version } = value as Partial<LockHolder>;
  const named = typeof host === "string" && typeof version === "string";
  return named && typeof pid === "number" && typeof startedAt === "number";
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
