// What SQLite's failures mean to the daemon and to a person. Every statement runs inside `attempt`,
// so that nothing but OperationError and assertions leaves the store.
import { OperationError } from "../../lib/operation-error.ts";

/** Primary result codes; the upper bytes of an extended code only say where it happened. */
const SQLITE = { busy: 5, readonly: 8, ioerr: 10, corrupt: 11, full: 13, cantopen: 14, notadb: 26 };
/** No room for the shared memory file is reported as an I/O error of its own. */
const IOERR_SHMSIZE = 4874;

type Meaning = { code: string; hint: string; retryable: boolean };

const FULL: Meaning = {
  code: "store-full",
  hint: "the disk is full: free some space; nothing was lost, and Pawl resumes when there is space",
  retryable: true,
};
const IO: Meaning = {
  code: "store-io",
  hint: "look at the disk, the mount and the permissions of this file (`pawl doctor`)",
  retryable: true,
};
const CORRUPT: Meaning = {
  code: "store-corrupt",
  hint: "stop Pawl, move the file with its -wal and -shm aside, and copy the latest backup there",
  retryable: false,
};
const BUSY: Meaning = {
  code: "store-busy",
  hint: "another program (a sqlite3 shell?) holds a transaction on this file: end it",
  retryable: true,
};

const MEANINGS = new Map<number, Meaning>([
  [SQLITE.full, FULL],
  [SQLITE.ioerr, IO],
  [SQLITE.cantopen, IO],
  [SQLITE.readonly, IO],
  [SQLITE.corrupt, CORRUPT],
  [SQLITE.notadb, CORRUPT],
  [SQLITE.busy, BUSY],
]);

/** Runs one step on the database file; `what` completes "cannot … journal {path}". */
export function attempt<T>(target: { what: string; path: string }, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw storeError(error, target);
  }
}

/** The error to report: an OperationError where the cause is known, otherwise the error itself. */
export function storeError(error: unknown, target: { what: string; path: string }): unknown {
  if (!(error instanceof Error)) return error;
  const meaning = meaningOf(error);
  if (meaning === undefined) return error;
  return new OperationError(`cannot ${target.what} journal ${target.path}: ${error.message}`, {
    ...meaning,
    cause: error,
  });
}

function meaningOf(error: Error): Meaning | undefined {
  if ("errcode" in error && typeof error.errcode === "number") {
    if (error.errcode === IOERR_SHMSIZE) return FULL;
    return MEANINGS.get(error.errcode & 0xff);
  }
  if ("syscall" in error && "code" in error) {
    return error.code === "ENOSPC" || error.code === "EDQUOT" ? FULL : IO;
  }
  return undefined;
}

/** Documents in the journal were written by JSON.stringify: anything else is damage. */
export function parseDocument(text: string | (() => string), what: string): unknown {
  try {
    return JSON.parse(typeof text === "string" ? text : text());
  } catch (error) {
    throw new OperationError(`cannot read ${what} from the journal: its text is not JSON`, {
      ...CORRUPT,
      cause: error,
    });
  }
}
