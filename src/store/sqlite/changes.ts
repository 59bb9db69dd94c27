// Queries on the numbers of commits, which followers resume by.
import type { DatabaseSync } from "node:sqlite";
import type { AggregateId } from "../../core/ids.ts";
import type { StoredChange } from "../../ports/store.ts";
import { parseDocument } from "./failure.ts";

type Row = { seq: number; aggregates: string | null };

export function readChanges(db: DatabaseSync) {
  const after = db.prepare(
    "SELECT seq, aggregates FROM changes WHERE seq > ? ORDER BY seq LIMIT ?",
  );
  // The last number is known also where every row is gone.
  const range = db.prepare(
    `SELECT (SELECT min(seq) FROM changes) AS first,
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0) AS last`,
  );
  return {
    after: (seq: number, limit: number): StoredChange[] =>
      (after.all(seq, limit) as Row[]).map(stored),
    range(): { after: number; last: number } {
      const { first, last } = range.get() as { first: number | null; last: number };
      return { after: first === null ? last : first - 1, last };
    },
  };
}

export function writeChanges(db: DatabaseSync, kept: number) {
  const insert = db.prepare("INSERT INTO changes (aggregates) VALUES (?)");
  const forget = db.prepare("DELETE FROM changes WHERE seq <= ?");
  return {
    add(aggregates: AggregateId[] | null): void {
      const text = aggregates === null ? null : JSON.stringify(aggregates);
      forget.run(Number(insert.run(text).lastInsertRowid) - kept);
    },
  };
}

function stored({ seq, aggregates }: Row): StoredChange {
  if (aggregates === null) return { seq, aggregates: null };
  return { seq, aggregates: parseDocument(aggregates, `change ${seq}`) as AggregateId[] };
}
