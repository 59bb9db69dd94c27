// One transaction on the writing connection: BEGIN, the caller's work, COMMIT or ROLLBACK. SQLite
// ends a transaction by itself on some failures (a full disk), after which every further statement
// would commit alone; so the first failed statement spoils the transaction for good, even where
// the work catches the error.
import type { DatabaseSync } from "node:sqlite";
import { assert } from "../../lib/assert.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Transaction } from "../../ports/store.ts";
import type { Life } from "../serial.ts";
import { CHANGES_KEPT, Touched } from "../touched.ts";
import { readAggregates, writeAggregates } from "./aggregates.ts";
import { writeChanges } from "./changes.ts";
import { writeEvents } from "./events.ts";
import { attempt } from "./failure.ts";
import { writeOutbox } from "./outbox.ts";
import type { ParsedStates } from "./parsed-states.ts";
import { readRecords, writeRecords } from "./records.ts";
import { writeSignals } from "./signals.ts";

export type Writer = {
  transact<T>(life: Life, work: (tx: Transaction) => Promise<T>): Promise<T>;
};

type Place = { what: string; path: string };
type Spoiled = { by?: unknown };
type Guard = <T>(act: () => T) => T;

export function createWriter(
  db: DatabaseSync,
  path: string,
  {
    states,
    changesKept = CHANGES_KEPT,
  }: { states: ParsedStates; changesKept?: number | undefined },
): Writer {
  const place = { what: "write to", path };
  const statements = attempt(place, () => prepareAll(db, states, changesKept));

  return {
    async transact(life, work) {
      attempt(place, () => begin(db));
      const spoiled: Spoiled = {};
      const guard = createGuard({ life, spoiled, place });
      try {
        const touched = new Touched();
        const result = await work(touched.around(createTransaction(statements, guard)));
        if (touched.isAnything) guard(() => statements.changes.add(touched.aggregates()));
        // From here on a call that the work did not wait for must not slip in behind the commit.
        life.active = false;
        if ("by" in spoiled) throw spoiled.by;
        attempt(place, () => db.exec("COMMIT"));
        return result;
      } catch (error) {
        life.active = false;
        attempt(place, () => rollback(db));
        if (error instanceof OperationError && error.code === "store-full") foldLog(db);
        throw error;
      }
    },
  };
}

function createGuard(open: { life: Life; spoiled: Spoiled; place: Place }): Guard {
  return (act) => {
    assert(open.life.active, "a transaction used after its end");
    if ("by" in open.spoiled) throw open.spoiled.by;
    try {
      return attempt(open.place, act);
    } catch (error) {
      open.spoiled.by = error;
      throw error;
    }
  };
}

/**
 * On a full disk the log cannot grow, not even to delete. Folded into the file it is written from
 * its start again, which needs no room; where that fails as well, only a person can make room.
 */
function foldLog(db: DatabaseSync): void {
  try {
    db.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } catch (error) {
    if (!(error instanceof Error && "errcode" in error)) throw error;
  }
}

function begin(db: DatabaseSync): void {
  // A rollback that failed (the disk was gone) left its transaction open.
  rollback(db);
  db.exec("BEGIN IMMEDIATE");
}

function rollback(db: DatabaseSync): void {
  if (db.isTransaction) db.exec("ROLLBACK");
}

function prepareAll(db: DatabaseSync, states: ParsedStates, changesKept: number) {
  return {
    aggregates: { ...readAggregates(db, states), ...writeAggregates(db, states) },
    changes: writeChanges(db, changesKept),
    events: writeEvents(db),
    outbox: writeOutbox(db),
    records: { ...readRecords(db), ...writeRecords(db) },
    signals: writeSignals(db),
  };
}

function createTransaction(on: ReturnType<typeof prepareAll>, guard: Guard): Transaction {
  return {
    load: async (id) => guard(() => on.aggregates.load(id)),
    async save(id, state, wakeAt) {
      assert(wakeAt === undefined || Number.isFinite(wakeAt), `${id} wakes at ${wakeAt}`);
      guard(() => on.aggregates.save(id, state, wakeAt));
    },
    archive: async (id, state, entry) => guard(() => on.aggregates.archive(id, state, entry)),
    append: async (to, event) => guard(() => on.events.append(to, event)),
    takeIn: async (key, at) => guard(() => on.events.takeIn(key, at)),
    enqueue: async (row) => guard(() => on.outbox.enqueue(row)),
    settle: async (key) => guard(() => on.outbox.settle(key)),
    postpone: async (key, retry) => guard(() => on.outbox.postpone(key, retry)),
    emit: async (signal) => guard(() => on.signals.emit(signal)),
    records: {
      get: async (collection, key) => guard(() => on.records.get(collection, key)),
      list: async (collection) => guard(() => on.records.list(collection)),
      page: async (collection, query) => guard(() => on.records.page(collection, query)),
      async put(collection, key, value) {
        assert(value !== undefined, `record ${collection} ${key} has no value`);
        guard(() => on.records.put(collection, key, value));
      },
      delete: async (collection, key) => guard(() => on.records.delete(collection, key)),
    },
  };
}
