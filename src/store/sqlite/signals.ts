// Queries on signals, which people and scripts follow by their number.
import type { DatabaseSync } from "node:sqlite";
import type { Signal, SignalKind } from "../../core/signal.ts";
import type { StoredSignal } from "../../ports/store.ts";
import { parseDocument } from "./failure.ts";

type Query = { afterSeq?: number; kinds?: SignalKind[]; limit: number };
type Row = { seq: number; signal: string };

/** An empty list of kinds means none; a missing one means all. */
const WHERE = "(?1 IS NULL OR kind IN (SELECT value FROM json_each(?1)))";

export function readSignals(db: DatabaseSync) {
  const after = db.prepare(
    `SELECT seq, signal FROM signals WHERE ${WHERE} AND seq > ?2 ORDER BY seq LIMIT ?3`,
  );
  const newest = db.prepare(
    `SELECT seq, signal FROM signals WHERE ${WHERE} ORDER BY seq DESC LIMIT ?2`,
  );
  return {
    select({ afterSeq, kinds, limit }: Query): StoredSignal[] {
      const wanted = kinds === undefined ? null : JSON.stringify(kinds);
      const rows =
        afterSeq === undefined
          ? newest.all(wanted, limit).toReversed()
          : after.all(wanted, afterSeq, limit);
      return (rows as Row[]).map(stored);
    },
  };
}

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
