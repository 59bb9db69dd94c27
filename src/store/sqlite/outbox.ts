// Queries on the outbox: effects that wait to be carried out.
import type { DatabaseSync } from "node:sqlite";
import type { Effect } from "../../core/effect.ts";
import type { NewOutboxRow, OutboxRow } from "../../ports/store.ts";
import { parseDocument } from "./failure.ts";

type Row = Omit<OutboxRow, "effect"> & { effect: string };

export function readOutbox(db: DatabaseSync) {
  const all = db.prepare(`
    SELECT key, seq, aggregate, lane, effect, attempts, not_before AS notBefore
    FROM outbox ORDER BY seq`);
  return {
    list: (): OutboxRow[] => (all.all() as Row[]).map(stored),
  };
}

export function writeOutbox(db: DatabaseSync) {
  const enqueue = db.prepare(`
    INSERT INTO outbox (key, aggregate, lane, effect, attempts, not_before)
    VALUES (?, ?, ?, ?, 0, 0) ON CONFLICT (key) DO NOTHING`);
  const settle = db.prepare("DELETE FROM outbox WHERE key = ?");
  const postpone = db.prepare("UPDATE outbox SET attempts = ?, not_before = ? WHERE key = ?");
  return {
    enqueue(row: NewOutboxRow): void {
      enqueue.run(row.key, row.aggregate, row.lane, JSON.stringify(row.effect));
    },
    settle: (key: string): boolean => settle.run(key).changes === 1,
    postpone(key: string, retry: { attempts: number; notBefore: number }): void {
      postpone.run(retry.attempts, retry.notBefore, key);
    },
  };
}

function stored(row: Row): OutboxRow {
  return { ...row, effect: parseDocument(row.effect, `effect ${row.key}`) as Effect };
}
