// Queries on records: small documents beside the aggregates, in named collections.
import type { DatabaseSync } from "node:sqlite";
import type { RecordPage, StoredRecord } from "../../ports/store.ts";
import { compareKeys } from "../key-order.ts";
import { parseDocument } from "./failure.ts";

type Row = { key: string; version: number; value: string };

export function readRecords(db: DatabaseSync) {
  const get = db.prepare(
    "SELECT key, version, value FROM records WHERE collection = ? AND key = ?",
  );
  const list = db.prepare("SELECT key, version, value FROM records WHERE collection = ?");
  // One text for all: parsed at once, thousands take a third of the time.
  const whole = db.prepare(
    `SELECT group_concat('[' || json_quote(key) || ',' || version || ',' || value || ']') AS rows
     FROM records WHERE collection = ?`,
  );
  const page = db.prepare(
    "SELECT key, version, value FROM records WHERE collection = ? AND key > ? ORDER BY key LIMIT ?",
  );
  // The keys alone first, which the index has.
  const numbered = db.prepare(`
    SELECT key, version, value FROM records WHERE collection = :collection AND key IN (
      SELECT key FROM records WHERE collection = :keysIn AND CAST(key AS INTEGER) > :after
      ORDER BY CAST(key AS INTEGER) LIMIT :limit)
    ORDER BY CAST(key AS INTEGER)`);
  return {
    get<T>(collection: string, key: string): StoredRecord<T> | undefined {
      const row = get.get(collection, key) as Row | undefined;
      return row && stored<T>(row, collection);
    },
    list<T>(collection: string): StoredRecord<T>[] {
      const { rows } = whole.get(collection) as { rows: string | null };
      const records = rows === null ? [] : parsed<T>(rows);
      // Read one by one, it is said which one is damaged.
      const found =
        records ?? (list.all(collection) as Row[]).map((row) => stored<T>(row, collection));
      return found.toSorted((a, b) => compareKeys(a.key, b.key));
    },
    page<T>(collection: string, query: RecordPage): StoredRecord<T>[] {
      const { after = "", limit, byNumber, keysIn = collection } = query;
      const rows = (
        byNumber === true
          ? numbered.all({ collection, keysIn, after: Number(after), limit })
          : page.all(collection, after, limit)
      ) as Row[];
      return rows.map((row) => stored<T>(row, collection));
    },
  };
}

export function writeRecords(db: DatabaseSync) {
  const put = db.prepare(`
    INSERT INTO records (collection, key, version, value) VALUES (?, ?, 1, ?)
    ON CONFLICT (collection, key) DO UPDATE SET version = version + 1, value = excluded.value`);
  const remove = db.prepare("DELETE FROM records WHERE collection = ? AND key = ?");
  return {
    put(collection: string, key: string, value: unknown): void {
      put.run(collection, key, JSON.stringify(value));
    },
    delete(collection: string, key: string): void {
      remove.run(collection, key);
    },
  };
}

/** Undefined where one of them is damaged. */
function parsed<T>(rows: string): StoredRecord<T>[] | undefined {
  try {
    const all = JSON.parse(`[${rows}]`) as [key: string, version: number, value: T][];
    return all.map(([key, version, value]) => ({ key, value, version }));
  } catch {
    return undefined;
  }
}

function stored<T>(row: Row, collection: string): StoredRecord<T> {
  const value = parseDocument(row.value, `record ${collection} ${row.key}`) as T;
  return { key: row.key, value, version: row.version };
}
