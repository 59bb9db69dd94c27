// Reads of committed state through a connection of their own. On the writing connection they would
// see a transaction's unfinished work (it waits between its statements); a second one sees the last
// commit, never waits (WAL), and costs one page cache. Each read is one statement that ends before
// the call returns, so that no reader ever keeps the log from being folded.
import type { DatabaseSync } from "node:sqlite";
import type { StoreReader } from "../../ports/store.ts";
import { readAggregates } from "./aggregates.ts";
import { readChanges } from "./changes.ts";
import { readEvents } from "./events.ts";
import { attempt } from "./failure.ts";
import { readOutbox } from "./outbox.ts";
import type { ParsedStates } from "./parsed-states.ts";
import { readRecords } from "./records.ts";
import { readSignals } from "./signals.ts";

export function createReader(db: DatabaseSync, path: string, states?: ParsedStates): StoreReader {
  const place = { what: "read", path };
  const queries = attempt(place, () => ({
    aggregates: readAggregates(db, states),
    changes: readChanges(db),
    events: readEvents(db),
    outbox: readOutbox(db),
    records: readRecords(db),
    signals: readSignals(db),
  }));
  const { aggregates, changes, events, outbox, records, signals } = queries;
  return {
    load: async (id) => attempt(place, () => aggregates.load(id)),
    aggregates: async (filter) => attempt(place, () => aggregates.list(filter)),
    page: async (query) => attempt(place, () => aggregates.page(query)),
    history: async (query) => attempt(place, () => aggregates.history(query)),
    named: async (query) => attempt(place, () => aggregates.named(query)),
    due: async (at) => attempt(place, () => aggregates.due(at)),
    nextWake: async (after) => attempt(place, () => aggregates.nextWake(after)),
    outbox: async () => attempt(place, () => outbox.list()),
    events: async (query) => attempt(place, () => events.select(query)),
    signals: async (query) => attempt(place, () => signals.select(query)),
    changes: async ({ afterSeq, limit }) => attempt(place, () => changes.after(afterSeq, limit)),
    changesKept: async () => attempt(place, () => changes.range()),
    records: {
      get: async (collection, key) => attempt(place, () => records.get(collection, key)),
      list: async (collection) => attempt(place, () => records.list(collection)),
      page: async (collection, query) => attempt(place, () => records.page(collection, query)),
    },
    async close() {
      if (db.isOpen) db.close();
    },
  };
}
