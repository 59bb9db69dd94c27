// Opens SQLite files the way the journal needs them: private, durable, bounded. It must never open
// a database file by other means than SQLite, not even to read it: closing any descriptor of a file
// drops all POSIX locks that this program holds on it.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errorCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";

/** How long a statement waits for another program's lock. It blocks the whole daemon: keep it short. */
const BUSY_TIMEOUT_MS = 1_000;

/** The log's size between checkpoints; what is above it is given back to the disk. */
const WAL_BYTES_MAX = 8 * 1024 * 1024;

/** Makes an empty file that only its owner can read, and its folder; an existing file is left alone. */
export function createPrivate(path: string): void {
  makeFolder(dirname(path));
  // An existing file is refused before it is opened, so that no lock is dropped (see above).
  unlessThere(() => closeSync(openSync(path, "wx", 0o600)));
  chmodSync(path, 0o600);
}

/**
 * Not `mkdirSync` with `recursive`: where a file system answers ENOENT to mkdir (/proc, some
 * automounters) Node 24 tries again for ever.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  unlessThere(() => mkdirSync(folder, 0o700));
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

export function openWriter(path: string): DatabaseSync {
  createPrivate(path);
  return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
}

export function openReader(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/**
 * Settings that make a commit durable and the file small. Pages that pruning frees go to a list
 * and are used again; `auto_vacuum = INCREMENTAL` also lets `PRAGMA incremental_vacuum` give them
 * back a few at a time. FULL would move pages at each commit, and VACUUM would rewrite the whole
 * file, blocking the daemon. It can only be chosen before the first table exists.
 */
export function configureWriter(db: DatabaseSync, path: string): void {
  db.exec("PRAGMA auto_vacuum = INCREMENTAL");
  const mode = db.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"];
  if (mode !== "wal") {
    throw new OperationError(`cannot use journal ${path}: its file system has no shared memory`, {
      code: "store-io",
      hint: "put PAWL_HOME on a local disk, not on a network share",
    });
  }
  db.exec("PRAGMA synchronous = FULL");
  // On macOS a plain fsync stops at the drive's cache; elsewhere this changes nothing.
  db.exec("PRAGMA fullfsync = ON");
  db.exec(`PRAGMA journal_size_limit = ${WAL_BYTES_MAX}`);
}

export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
}
