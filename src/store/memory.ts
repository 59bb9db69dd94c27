// The store of the simulator and of the core's tests: the same contract as SQLite, no disk. States,
// events and records are kept as they are given, not copied, so that the simulator's speed does not
// depend on their size; the caller must treat a loaded one as immutable.
import { assert } from "../lib/assert.ts";
import { OperationError } from "../lib/operation-error.ts";
import { type AggregateId, projectOf } from "../core/ids.ts";
import type {
  HistoryCursor,
  HistoryRow,
  OutboxRow,
  RecordReader,
  Store,
  StoredAggregate,
  StoredChange,
  StoredEvent,
  RecordPage,
  StoredRecord,
  StoredSignal,
  StoreReader,
  Transaction,
  Wake,
} from "../ports/store.ts";
import { createSerial, type Life } from "./serial.ts";
import { type Staged, StagedLog, StagedTable } from "./staged.ts";
import { CHANGES_KEPT, Touched } from "./touched.ts";

type Collection = StagedTable<string, StoredRecord<unknown>>;
type Archived = { stored: StoredAggregate; row: HistoryRow };

class Tables {
  readonly aggregates = new StagedTable<AggregateId, StoredAggregate>();
  /** What is over; an id is here or among the aggregates, never in both. */
  readonly archive = new StagedTable<AggregateId, Archived>();
  /** Deadlines apart from the states: most aggregates have ended and have none. */
  readonly wakes = new StagedTable<AggregateId, number>();
  readonly takenIn = new StagedTable<string, number>();
  readonly outbox = new StagedTable<string, OutboxRow>();
  readonly changes = new StagedLog<StoredChange>();
  readonly events = new StagedLog<StoredEvent>();
  readonly signals = new StagedLog<StoredSignal>();
  readonly #collections = new Map<string, Collection>();
  readonly #fixed: Staged[] = [
    this.aggregates,
    this.archive,
    this.wakes,
    this.takenIn,
    this.outbox,
    this.changes,
    this.events,
    this.signals,
  ];
  outboxSeq = 0;

  collection(name: string): Collection {
    let found = this.#collections.get(name);
    if (found === undefined) {
      found = new StagedTable();
      this.#collections.set(name, found);
    }
    return found;
  }

  finish(how: keyof Staged, touched: Set<Collection>): void {
    for (const table of this.#fixed) table[how]();
    for (const collection of touched) collection[how]();
  }
}

/** How many changes may be too old before they are forgotten: removing them takes a whole pass. */
const FORGOTTEN_AT_ONCE = 1000;

export function createMemoryStore(changesKept: number = CHANGES_KEPT): Store {
  const tables = new Tables();
  const serial = createSerial("the memory store");

  async function inTransaction<T>(life: Life, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const touched = new Set<Collection>();
    const outboxSeq = tables.outboxSeq;
    try {
      const changed = new Touched();
      const result = await work(changed.around(memoryTransaction(tables, { life, touched })));
      life.active = false;
      const aggregates = changed.aggregates();
      if (changed.isAnything) tables.changes.append((seq) => ({ seq, aggregates }));
      tables.finish("commit", touched);
      forgetChanges(tables, changesKept);
      return result;
    } catch (error) {
      life.active = false;
      tables.finish("rollback", touched);
      tables.outboxSeq = outboxSeq;
      throw error;
    }
  }

  return {
    ...memoryReader(tables),
    transaction: (work) => serial.run((life) => inTransaction(life, work)),
    prune: ({ before }) => serial.run(async () => pruneTables(tables, before)),
    async backup(path) {
      throw new OperationError(`cannot copy the journal to ${path}: it is kept in memory only`, {
        code: "unsupported",
      });
    },
    close: () => serial.close(),
  };
}

function memoryTransaction(
  tables: Tables,
  open: { life: Life; touched: Set<Collection> },
): Transaction {
  const use = (): Tables => {
    assert(open.life.active, "a transaction used after its end");
    return tables;
  };
  return {
    load: async (id) => loadStaged(use(), id),
    async save(id, state, wakeAt) {
      assert(wakeAt === undefined || Number.isFinite(wakeAt), `${id} wakes at ${wakeAt}`);
      const version = (loadStaged(use(), id)?.version ?? 0) + 1;
      tables.aggregates.set(id, { id, version, state });
      tables.archive.delete(id);
      if (wakeAt === undefined) tables.wakes.delete(id);
      else tables.wakes.set(id, wakeAt);
    },
    async archive(id, state, entry) {
      const version = (loadStaged(use(), id)?.version ?? 0) + 1;
      tables.aggregates.delete(id);
      tables.wakes.delete(id);
      const stored: StoredAggregate = { id, version, state, isArchived: true };
      tables.archive.set(id, { stored, row: { ...entry, id } });
    },
    append: async (to, event) => use().events.append((seq) => ({ seq, to, event })),
    async takeIn(key, at) {
      if (use().takenIn.getStaged(key) !== undefined) return false;
      tables.takenIn.set(key, at);
      return true;
    },
    async enqueue(row) {
      if (use().outbox.getStaged(row.key) !== undefined) return;
      tables.outboxSeq += 1;
      const { key, aggregate, lane, effect } = row;
      const fresh = { key, aggregate, lane, effect, attempts: 0, notBefore: 0 };
      tables.outbox.set(key, { ...fresh, seq: tables.outboxSeq });
    },
    async settle(key) {
      const waited = use().outbox.getStaged(key) !== undefined;
      tables.outbox.delete(key);
      return waited;
    },
    async postpone(key, retry) {
      const row = use().outbox.getStaged(key);
      if (row === undefined) return;
      const { attempts, notBefore } = retry;
      tables.outbox.set(key, { ...row, attempts, notBefore });
    },
    async emit(signal) {
      use().signals.append((seq) => ({ ...signal, seq }));
    },
    records: recordWriter(use, open.touched),
  };
}

const loadStaged = (tables: Tables, id: AggregateId): StoredAggregate | undefined =>
  tables.aggregates.getStaged(id) ?? tables.archive.getStaged(id)?.stored;

function recordWriter(use: () => Tables, touched: Set<Collection>): Transaction["records"] {
  const touch = (name: string): Collection => {
    const collection = use().collection(name);
    touched.add(collection);
    return collection;
  };
  return {
    get: async <T>(name: string, key: string) =>
      use().collection(name).getStaged(key) as StoredRecord<T> | undefined,
    list: async <T>(name: string) => use().collection(name).orderedStaged() as StoredRecord<T>[],
    page: async <T>(name: string, query: RecordPage) =>
      pageOf((one) => use().collection(one).orderedStaged(), name, query) as StoredRecord<T>[],
    async put(name, key, value) {
      assert(value !== undefined, `record ${name} ${key} has no value`);
      const collection = touch(name);
      const version = (collection.getStaged(key)?.version ?? 0) + 1;
      collection.set(key, { key, value, version });
    },
    delete: async (name, key) => touch(name).delete(key),
  };
}

function memoryReader(tables: Tables): Omit<StoreReader, "close"> {
  return {
    load: async (id) => tables.aggregates.get(id) ?? tables.archive.get(id)?.stored,
    ...archiveReader(tables),
    async aggregates(filter) {
      const { project, kind, isBrief, labelled } = filter ?? {};
      const all = tables.aggregates.ordered(kind === undefined ? "" : `${kind}:`);
      const own = project === undefined ? all : all.filter(({ id }) => projectOf(id) === project);
      if (labelled !== undefined) return own.map((stored) => withOnly(stored, labelled));
      return isBrief === true ? own.map(withoutBacklog) : own;
    },
    async page({ after = "", limit }) {
      const all = [...tables.aggregates.entries()].filter(([id]) => id > after);
      const sorted = all.toSorted(([one], [other]) => (one < other ? -1 : 1));
      return sorted.slice(0, limit).map(([, stored]) => withoutBacklog(stored));
    },
    async due(at) {
      const due: Wake[] = [];
      for (const [id, wakeAt] of tables.wakes.entries()) {
        if (wakeAt > at) continue;
        due.push({ id, wakeAt, version: tables.aggregates.get(id)?.version ?? 0 });
      }
      return due.toSorted((a, b) => a.wakeAt - b.wakeAt || (a.id < b.id ? -1 : 1));
    },
    async nextWake(after = -Infinity) {
      let soonest: number | undefined;
      for (const [, wakeAt] of tables.wakes.entries()) {
        if (wakeAt <= after) continue;
        if (soonest === undefined || wakeAt < soonest) soonest = wakeAt;
      }
      return soonest;
    },
    async outbox() {
      return [...tables.outbox.entries()].map(([, row]) => row).toSorted((a, b) => a.seq - b.seq);
    },
    async events({ to, afterSeq, limit }) {
      const wanted = (row: StoredEvent): boolean => to === undefined || row.to === to;
      return tables.events.select({ afterSeq, limit, wanted });
    },
    async signals({ afterSeq, kinds, projects, limit }) {
      const wanted = (row: StoredSignal): boolean =>
        (kinds?.includes(row.kind) ?? true) && (projects?.includes(row.project) ?? true);
      return tables.signals.select({ afterSeq, limit, wanted });
    },
    changes: async ({ afterSeq, limit }) =>
      tables.changes.select({ afterSeq, limit, wanted: () => true }),
    changesKept: async () => tables.changes.range(),
    records: recordReader(tables),
  };
}

/** Rows are immutable, so that what is made of one stays right. */
const brief = new WeakMap<StoredAggregate, StoredAggregate>();

function withoutBacklog(stored: StoredAggregate): StoredAggregate {
  if (stored.state.kind !== "project") return stored;
  let made = brief.get(stored);
  if (made === undefined) {
    made = { ...stored, state: { ...stored.state, backlog: [] } };
    brief.set(stored, made);
  }
  return made;
}

function withOnly(stored: StoredAggregate, label: string): StoredAggregate {
  if (stored.state.kind !== "project") return stored;
  const backlog = stored.state.backlog.filter(({ labels }) => labels.includes(label));
  return { ...stored, state: { ...stored.state, backlog } };
}

function forgetChanges({ changes }: Tables, kept: number): void {
  const { after, last } = changes.range();
  if (last - after < kept + Math.min(kept, FORGOTTEN_AT_ONCE)) return;
  changes.remove(({ seq }) => seq <= last - kept);
}

function archiveReader(tables: Tables): Pick<StoreReader, "history" | "named"> {
  const lastFirst = (wanted: (row: HistoryRow) => boolean): Archived[] => {
    const chosen: Archived[] = [];
    for (const [, one] of tables.archive.entries()) if (wanted(one.row)) chosen.push(one);
    return chosen.toSorted((one, other) => compareEnds(other.row, one.row));
  };
  return {
    async history({ kind, project, endedFrom = -Infinity, after, limit }) {
      const wanted = (row: HistoryRow): boolean =>
        row.kind === kind &&
        (project === undefined || row.project === project) &&
        row.endedAt >= endedFrom &&
        (after === undefined || compareEnds(row, after) < 0);
      return lastFirst(wanted)
        .slice(0, limit)
        .map(({ row }) => row);
    },
    async named({ kind, project, name, limit }) {
      const wanted = (row: HistoryRow): boolean =>
        row.kind === kind && row.project === project && row.names.includes(name);
      return lastFirst(wanted)
        .slice(0, limit)
        .map(({ stored }) => stored);
    },
  };
}

const compareEnds = (one: HistoryCursor, other: HistoryCursor): number =>
  one.endedAt - other.endedAt || (one.id < other.id ? -1 : Number(one.id > other.id));

function recordReader(tables: Tables): RecordReader {
  return {
    get: async <T>(name: string, key: string) =>
      tables.collection(name).get(key) as StoredRecord<T> | undefined,
    list: async <T>(name: string) => tables.collection(name).ordered() as StoredRecord<T>[],
    page: async <T>(name: string, query: RecordPage) =>
      pageOf((one) => tables.collection(one).ordered(), name, query) as StoredRecord<T>[],
  };
}

function pageOf(
  list: (collection: string) => StoredRecord<unknown>[],
  collection: string,
  { after = "", limit, byNumber, keysIn = collection }: RecordPage,
): StoredRecord<unknown>[] {
  if (byNumber === true) {
    const keys = list(keysIn).filter(({ key }) => Number(key) > Number(after));
    const wanted = new Set(keys.slice(0, limit).map(({ key }) => key));
    return list(collection).filter(({ key }) => wanted.has(key));
  }
  return list(collection)
    .filter(({ key }) => key > after)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .slice(0, limit);
}

function pruneTables(tables: Tables, before: number): { removed: number } {
  let removed = tables.events.remove((row) => row.event.at < before);
  removed += tables.signals.remove((row) => row.at < before);
  for (const [key, at] of tables.takenIn.entries()) {
    if (at >= before) continue;
    tables.takenIn.delete(key);
    removed += 1;
  }
  tables.takenIn.commit();
  return { removed };
}
