// Queries on what happened: the events of the aggregates, and the keys of outside events taken in.
import type { DatabaseSync } from "node:sqlite";
import type { Event } from "../../core/event.ts";
import type { AggregateId } from "../../core/ids.ts";
import type { StoredEvent } from "../../ports/store.ts";
import { parseDocument } from "./failure.ts";

type Query = { to?: AggregateId; afterSeq?: number; limit: number };
type Row = { seq: number; aggregate: AggregateId; event: string };

const COLUMNS = "SELECT seq, aggregate, event FROM events";

export function readEvents(db: DatabaseSync) {
  const after = db.prepare(`${COLUMNS} WHERE seq > ? ORDER BY seq LIMIT ?`);
  const newest = db.prepare(`${COLUMNS} ORDER BY seq DESC LIMIT ?`);
  const ofAfter = db.prepare(`${COLUMNS} WHERE aggregate = ? AND seq > ? ORDER BY seq LIMIT ?`);
  const ofNewest = db.prepare(`${COLUMNS} WHERE aggregate = ? ORDER BY seq DESC LIMIT ?`);

  function rows({ to, afterSeq, limit }: Query): unknown[] {
    if (to === undefined) {
      return afterSeq === undefined ? newest.all(limit).toReversed() : after.all(afterSeq, limit);
    }
    if (afterSeq === undefined) return ofNewest.all(to, limit).toReversed();
    return ofAfter.all(to, afterSeq, limit);
  }

  return {
    select: (query: Query): StoredEvent[] => (rows(query) as Row[]).map(stored),
  };
}

export function writeEvents(db: DatabaseSync) {
  const append = db.prepare("INSERT INTO events (aggregate, at, event) VALUES (?, ?, ?)");
  const takeIn = db.prepare("INSERT INTO taken_in (key, at) VALUES (?, ?) ON CONFLICT DO NOTHING");
  return {
    append: (to: AggregateId, event: Event): number =>
      Number(append.run(to, event.at, JSON.stringify(event)).lastInsertRowid),
    takeIn: (key: string, at: number): boolean => takeIn.run(key, at).changes === 1,
  };
}

function stored(row: Row): StoredEvent {
  const event = parseDocument(row.event, `event ${row.seq}`) as Event;
  return { seq: row.seq, to: row.aggregate, event };
}
