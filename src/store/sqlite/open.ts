// Opens the journal, for the one daemon that writes it or for a command that only reads. Nothing
// here keeps two programs from writing: that is the lock's task (store/lock.ts).
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as immediate } from "node:timers/promises";
import { OperationError } from "../../lib/operation-error.ts";
import type { Store, StoreReader } from "../../ports/store.ts";
import { createSerial } from "../serial.ts";
import { backupJournal } from "./backup.ts";
import { configureWriter, openReader, openWriter, schemaVersion } from "./connection.ts";
import { attempt, storeError } from "./failure.ts";
import { migrate, refuseNewer } from "./migrate.ts";
import { type Migration, MIGRATIONS } from "./migrations/list.ts";
import { ParsedStates } from "./parsed-states.ts";
import { pruneJournal } from "./prune.ts";
import { createReader } from "./reader.ts";
import { createWriter } from "./transaction.ts";

/** For writing: made where there is none, brought to this Pawl's version where it is older. */
export async function openSqliteStore(
  path: string,
  migrations: Migration[] = MIGRATIONS,
  changesKept?: number,
): Promise<Store> {
  const place = { what: "open", path };
  const db = attempt(place, () => openWriter(path));
  try {
    refuseNewer(db, { path, migrations });
    configureWriter(db, path);
    await migrate(db, { path, migrations });
    return createStore(db, path, changesKept);
  } catch (error) {
    db.close();
    throw storeError(error, place);
  }
}

/**
 * For reading, also while a daemon writes. Undefined where there is no journal yet: a command that
 * only reads makes none.
 */
export async function openReadOnly(
  path: string,
  migrations: Migration[] = MIGRATIONS,
): Promise<StoreReader | undefined> {
  if (!existsSync(path)) return undefined;
  const place = { what: "read", path };
  const db = attempt(place, () => openReader(path));
  try {
    refuseNewer(db, { path, migrations });
    const version = schemaVersion(db);
    if (version === migrations.length) return createReader(db, path);
    if (version > 0) throw tooOld(path, { version, known: migrations.length });
    // The daemon that makes it has not finished its first transaction.
    db.close();
    return undefined;
  } catch (error) {
    db.close();
    throw storeError(error, place);
  }
}

/** How many migrations a journal has seen, and how many this Pawl has; undefined where there is none. */
export function journalVersion(
  path: string,
  migrations: Migration[] = MIGRATIONS,
): { found: number; known: number } | undefined {
  if (!existsSync(path)) return undefined;
  const place = { what: "read", path };
  const db = attempt(place, () => openReader(path));
  try {
    return { found: attempt(place, () => schemaVersion(db)), known: migrations.length };
  } finally {
    db.close();
  }
}

function createStore(db: DatabaseSync, path: string, changesKept?: number): Store {
  const serial = createSerial(`journal ${path}`);
  const states = new ParsedStates();
  const writer = createWriter(db, path, { states, changesKept });
  const readerDb = openReader(path);
  const reader = createReader(readerDb, path, states);
  return {
    ...reader,
    transaction: (work) =>
      serial.run(async (life) => {
        // What arrives in the same turn of the event loop can join this commit; and however many
        // transactions wait, the daemon answers and hears between two of them.
        await immediate();
        return writer.transact(life, work);
      }),
    prune: ({ before }) => pruneJournal({ db, path, serial }, before),
    backup: (target) => backupJournal(path, target),
    async close() {
      await serial.close();
      // The writer last: the last connection to close folds the log, and only it can.
      await reader.close();
      if (db.isOpen) db.close();
    },
  };
}

function tooOld(path: string, found: { version: number; known: number }): OperationError {
  return new OperationError(
    `cannot read journal ${path}: it has version ${found.version}, this Pawl reads ${found.known}`,
    {
      code: "journal-older",
      hint: "start the daemon once (`pawl up`): it upgrades the journal",
    },
  );
}
