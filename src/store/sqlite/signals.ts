// Queries on signals, which people and scripts follow by their number.
import type { DatabaseSync } from "node:sqlite";
import type { Signal } from "../../core/signal.ts";
import type { SignalQuery, StoredSignal } from "../../ports/store.ts";
import { parseDocument } from "./failure.ts";

type Row = { seq: number; signal: string };

/** An empty list of kinds or projects means none; a missing one means all. */
const WHERE = `(?1 IS NULL OR kind IN (SELECT value FROM json_each(?1)))
  AND (?2 IS NULL OR signal ->> 'project' IN (SELECT value FROM json_each(?2)))`;

export function readSignals(db: DatabaseSync) {
  const after = db.prepare(
    `SELECT seq, signal FROM signals WHERE ${WHERE} AND seq > ?3 ORDER BY seq LIMIT ?4`,
  );
  const newest = db.prepare(
    `SELECT seq, signal FROM signals WHERE ${WHERE} ORDER BY seq DESC LIMIT ?3`,
  );
  return {
    select({ afterSeq, kinds, projects, limit }: SignalQuery): StoredSignal[] {
      const wanted = [jsonOf(kinds), jsonOf(projects)] as const;
      const rows =
        afterSeq === undefined
          ? newest.all(...wanted, limit).toReversed()
          : after.all(...wanted, afterSeq, limit);
      return (rows as Row[]).map(stored);
    },
  };
}

const jsonOf = (list: string[] | undefined): string | null =>
  list === undefined ? null : JSON.stringify(list);

export function writeSignals(db: DatabaseSync) {
  const emit = db.prepare("INSERT INTO signals (kind, at, signal) VALUES (?, ?, ?)");
  return {
    emit(signal: Signal): void {
      emit.run(signal.kind, signal.at, JSON.stringify(signal));
    },
  };
}

function stored(row: Row): StoredSignal {
  return { ...(parseDocument(row.signal, `signal ${row.seq}`) as Signal), seq: row.seq };
}
