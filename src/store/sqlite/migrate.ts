// Brings a journal to this Pawl's schema: a copy first, then all missing migrations in one
// transaction. It refuses a journal that a newer Pawl has written, before touching anything.
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { OperationError } from "../../lib/operation-error.ts";
import { compareKeys } from "../key-order.ts";
import { backupJournal } from "./backup.ts";
import { schemaVersion } from "./connection.ts";
import { storeError } from "./failure.ts";
import type { Migration } from "./migrations/list.ts";

type Journal = { path: string; migrations: Migration[] };

export async function migrate(db: DatabaseSync, journal: Journal): Promise<void> {
  const from = schemaVersion(db);
  const missing = journal.migrations.slice(from);
  if (missing.length === 0) return;
  // An empty journal has nothing to lose.
  if (from > 0) await backupJournal(journal.path, copyBefore(journal.path, from));
  try {
    db.exec("BEGIN EXCLUSIVE");
    for (const migration of missing) db.exec(migration.sql());
    db.exec(`PRAGMA user_version = ${journal.migrations.length}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw migrationError(error, { path: journal.path, from, to: journal.migrations.length });
  }
}

export function refuseNewer(db: DatabaseSync, journal: Journal): void {
  const found = schemaVersion(db);
  const known = journal.migrations.length;
  if (found <= known) return;
  const copy = latestCopy(journal.path, known);
  const restore =
    copy === undefined
      ? `restore a backup of version ${known} or older`
      : `stop Pawl, move ${journal.path} with its -wal and -shm aside and copy ${copy} there`;
  throw new OperationError(
    `cannot open journal ${journal.path}: it has version ${found}, this Pawl knows ${known}`,
    { code: "journal-newer", hint: `upgrade Pawl, or ${restore}` },
  );
}

function migrationError(
  error: unknown,
  journey: { path: string; from: number; to: number },
): unknown {
  const { path, from, to } = journey;
  const known = storeError(error, { what: "migrate", path });
  if (known instanceof OperationError) return known;
  const why = error instanceof Error ? error.message : String(error);
  return new OperationError(
    `cannot upgrade journal ${path} from version ${from} to ${to}: ${why}`,
    {
      code: "migration-failed",
      hint: "nothing was changed: go back to the Pawl you had, and report this as a bug",
      cause: error,
    },
  );
}

function copyBefore(path: string, version: number): string {
  return `${path}.v${version}.backup`;
}

/** The newest copy that a migration made and that this Pawl can read. */
function latestCopy(path: string, known: number): string | undefined {
  const readable = new Set(
    Array.from({ length: known }, (_, index) => basename(copyBefore(path, index + 1))),
  );
  const copies = readdirSync(dirname(path)).filter((name) => readable.has(name));
  const latest = copies.toSorted(compareKeys).at(-1);
  return latest && join(dirname(path), latest);
}
