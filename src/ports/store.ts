// The journal: the one place where state that matters is kept. Every engine (SQLite, the
// simulator's memory store, PostgreSQL later) passes store/conformance.ts.
//
// Contract. A transaction is atomic, durable when its promise resolves, and serialised with every
// other transaction of this store: work inside one never interleaves with another. If `work`
// throws, nothing of it remains. Reads outside a transaction see the last committed state and
// never wait for a writer. `OperationError` with code `store-full` means the disk is full: nothing
// was written and the store stays usable once there is room.
import type { HistoryEntry } from "../core/history.ts";
import type { AggregateId, AggregateKind, ProjectName } from "../core/ids.ts";
import type { AggregateState } from "../core/step.ts";
import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import type { Signal, SignalKind } from "../core/signal.ts";

/**
 * `isBrief`: projects come with an empty backlog, which is quicker. `labelled`: their backlog has only
 * the issues with this label, so that the others are not parsed. Such states are never saved.
 */
export type AggregateFilter = {
  project?: ProjectName;
  kind?: AggregateKind;
  isBrief?: true;
  labelled?: string;
};
export type StoredAggregate = {
  id: AggregateId;
  version: number;
  state: AggregateState;
  /** It is over, and was read from the archive. */
  isArchived?: true;
};

export type HistoryRow = HistoryEntry & { id: AggregateId };
/** Where a page ended: the next one begins right behind this row. */
export type HistoryCursor = Pick<HistoryRow, "id" | "endedAt">;
export type HistoryQuery = {
  kind: AggregateKind;
  project?: ProjectName;
  /** Only what ended at or after this instant. */
  endedFrom?: number;
  after?: HistoryCursor;
  limit: number;
};
/** `name`: one of `HistoryEntry.names`. */
export type NameQuery = { kind: AggregateKind; project: ProjectName; name: string; limit: number };

/** The deadline of an aggregate as the journal knows it, and the version that set it. */
export type Wake = { id: AggregateId; wakeAt: number; version: number };

/** An effect waiting to be carried out. It is written before it is done, and removed with its outcome. */
export type OutboxRow = {
  key: string;
  /** Grows with every row; rows of one lane are carried out in this order, one at a time. */
  seq: number;
  aggregate: AggregateId;
  lane: string;
  effect: Effect;
  attempts: number;
  /** Not before this instant (back-off after a failed try). */
  notBefore: number;
};

export type NewOutboxRow = Pick<OutboxRow, "key" | "aggregate" | "lane" | "effect">;

export type StoredEvent = { seq: number; to: AggregateId; event: Event };
export type StoredSignal = Signal & { seq: number };
/** One commit, by its number. `aggregates`: which changed; null where there were too many to list. */
export type StoredChange = { seq: number; aggregates: AggregateId[] | null };
export type SignalQuery = {
  afterSeq?: number;
  kinds?: SignalKind[];
  projects?: ProjectName[];
  limit: number;
};

export type Transaction = {
  load(id: AggregateId): Promise<StoredAggregate | undefined>;
  /** `wakeAt`: the aggregate's next deadline, so that a restart finds what is due with one query. */
  save(id: AggregateId, state: AggregateState, wakeAt: number | undefined): Promise<void>;
  /**
   * As `save`, for an aggregate that is over: its state leaves what is alive and is kept compressed,
   * with a row in the history. `load` still finds it, and `save` brings it back.
   */
  archive(id: AggregateId, state: AggregateState, entry: HistoryEntry): Promise<void>;
  append(to: AggregateId, event: Event): Promise<number>;
  /** Records that the outside event with this key was taken in; false if it had been before. */
  takeIn(key: string, at: number): Promise<boolean>;
  /** A key that is still waiting is the same obligation: the second one is ignored. */
  enqueue(row: NewOutboxRow): Promise<void>;
  /** Removes a waiting effect (its outcome arrived, or it is no longer wanted); false if it was not waiting. */
  settle(key: string): Promise<boolean>;
  postpone(key: string, retry: { attempts: number; notBefore: number }): Promise<void>;
  emit(signal: Signal): Promise<void>;
  records: RecordWriter;
};

/** Small documents beside the aggregates: the built-in tracker, CI results, registrations. */
export type StoredRecord<T> = { key: string; value: T; version: number };

/**
 * `byNumber`: every key is a number, and they are paged in the order of those. `keysIn`: only records
 * whose key the other collection has too, again by number.
 */
export type RecordPage =
  | { after?: string; limit: number; byNumber?: never; keysIn?: never }
  | { after?: string; limit: number; byNumber: true; keysIn?: string };

export type RecordReader = {
  get<T>(collection: string, key: string): Promise<StoredRecord<T> | undefined>;
  /** In key order (numeric parts compare as numbers). */
  list<T>(collection: string): Promise<StoredRecord<T>[]>;
  /** At most `limit` records, in the plain order of their keys: for what goes through many. */
  page<T>(collection: string, query: RecordPage): Promise<StoredRecord<T>[]>;
};

export type RecordWriter = RecordReader & {
  put<T>(collection: string, key: string, value: T): Promise<void>;
  delete(collection: string, key: string): Promise<void>;
};

/** What may be read without the lock, also by another program than the one that writes. */
export type StoreReader = {
  /** Alive or archived. */
  load(id: AggregateId): Promise<StoredAggregate | undefined>;
  /** Those that are alive, in id order (numeric parts compare as numbers). */
  aggregates(filter?: AggregateFilter): Promise<StoredAggregate[]>;
  /**
   * All that are alive, page by page in the plain order of their ids, projects without their backlogs:
   * for upgrades alone.
   */
  page(query: { after?: AggregateId; limit: number }): Promise<StoredAggregate[]>;
  /** What is over, the last end first: at most `limit` rows, which is one page. */
  history(query: HistoryQuery): Promise<HistoryRow[]>;
  /** The archived aggregates of this name, the last end first. */
  named(query: NameQuery): Promise<StoredAggregate[]>;
  /** Aggregates whose deadline is at or before `at`, soonest first. */
  due(at: number): Promise<Wake[]>;
  /** The soonest deadline of all aggregates, or the soonest one later than `after`. */
  nextWake(after?: number): Promise<number | undefined>;
  /** In `seq` order. */
  outbox(): Promise<OutboxRow[]>;
  /** Oldest first: those after `afterSeq`, or without it the newest `limit` ones. */
  events(query: { to?: AggregateId; afterSeq?: number; limit: number }): Promise<StoredEvent[]>;
  /** As `events`; `limit` counts only what was asked for. */
  signals(query: SignalQuery): Promise<StoredSignal[]>;
  /**
   * Commits after a number, oldest first. Every transaction that changes something has the next
   * number; none is given twice. Only the newest ones are kept.
   */
  changes(query: { afterSeq: number; limit: number }): Promise<StoredChange[]>;
  /** `last`: the newest number. `after`: the lowest number that a follower can resume after. */
  changesKept(): Promise<{ after: number; last: number }>;
  records: RecordReader;
  close(): Promise<void>;
};

export type Store = StoreReader & {
  /** Never from inside `work`: it would wait for itself, so it is an assertion. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Folds what is no longer needed: events, signals and taken-in keys older than `before` are
   * removed; the states stay. A `seq` is never given twice, so that followers miss nothing.
   */
  prune(limits: { before: number }): Promise<{ removed: number }>;
  /** An online copy, complete and consistent, at `path`. */
  backup(path: string): Promise<void>;
};
