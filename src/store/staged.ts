// Tables and logs of the memory store. A transaction's writes are staged beside the committed rows,
// so that reads outside never see them and a rollback is to forget them. Rows are immutable and
// shared with the callers; nothing here may change one in place.
import { compareKeys } from "./key-order.ts";

/** What a transaction touched is committed or forgotten as a whole. */
export type Staged = { commit(): void; rollback(): void };

const REMOVED = Symbol("removed");

export class StagedTable<K extends string, V> implements Staged {
  readonly #rows = new Map<K, V>();
  readonly #staged = new Map<K, V | typeof REMOVED>();
  /** The committed keys in order, once they were asked for: sorting 5,000 takes 20 ms. */
  #keys: K[] | undefined;
  /** Those that begin alike, until one is added or removed. */
  readonly #beginning = new Map<string, K[]>();

  get(key: K): V | undefined {
    return this.#rows.get(key);
  }

  getStaged(key: K): V | undefined {
    const staged = this.#staged.get(key);
    if (staged === undefined) return this.#rows.get(key);
    return staged === REMOVED ? undefined : staged;
  }

  set(key: K, value: V): void {
    this.#staged.set(key, value);
  }

  delete(key: K): void {
    this.#staged.set(key, REMOVED);
  }

  entries(): Iterable<[K, V]> {
    return this.#rows.entries();
  }

  /** The committed values in key order. */
  ordered(begins = ""): V[] {
    return pick(this.#rows, this.#orderedKeys(begins));
  }

  #orderedKeys(begins: string): readonly K[] {
    this.#keys ??= sortedKeys(this.#rows);
    if (begins === "") return this.#keys;
    let found = this.#beginning.get(begins);
    if (found === undefined) {
      found = this.#keys.filter((key) => key.startsWith(begins));
      this.#beginning.set(begins, found);
    }
    return found;
  }

  orderedStaged(): V[] {
    if (this.#staged.size === 0) return this.ordered();
    const merged = new Map(this.#rows);
    this.#apply(merged);
    return pick(merged, sortedKeys(merged));
  }

  commit(): void {
    if (this.#staged.size === 0) return;
    for (const key of this.#apply(this.#rows)) this.#comeOrGone(key);
    this.#staged.clear();
  }

  rollback(): void {
    if (this.#staged.size > 0) this.#staged.clear();
  }

  #comeOrGone(key: K): void {
    this.#beginning.clear();
    if (this.#keys === undefined) return;
    const at = placeOf(this.#keys, key);
    if (this.#rows.has(key)) this.#keys.splice(at, 0, key);
    else this.#keys.splice(at, 1);
  }

  /** The keys that came or went. */
  #apply(rows: Map<K, V>): K[] {
    const changed: K[] = [];
    for (const [key, value] of this.#staged) {
      if ((value === REMOVED) === rows.has(key)) changed.push(key);
      if (value === REMOVED) rows.delete(key);
      else rows.set(key, value);
    }
    return changed;
  }
}

function sortedKeys<K extends string>(rows: Map<K, unknown>): K[] {
  return [...rows.keys()].toSorted(compareKeys);
}

/** Where a key is among others in order, or belongs. */
function placeOf<K extends string>(keys: readonly K[], key: K): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(keys[middle] ?? "", key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pick<K extends string, V>(rows: Map<K, V>, keys: readonly K[]): V[] {
  const found: V[] = [];
  for (const key of keys) {
    const value = rows.get(key);
    if (value !== undefined) found.push(value);
  }
  return found;
}

export type LogQuery<T> = { afterSeq: number | undefined; limit: number; wanted(row: T): boolean };

/** Rows that are only appended, with numbers that are never given twice. */
export class StagedLog<T extends { seq: number }> implements Staged {
  #rows: T[] = [];
  #staged: T[] = [];
  #lastSeq = 0;

  append(make: (seq: number) => T): number {
    const seq = this.#lastSeq + this.#staged.length + 1;
    this.#staged.push(make(seq));
    return seq;
  }

  /** Oldest first: those after `afterSeq`, or without it the newest ones. */
  select(query: LogQuery<T>): T[] {
    if (query.afterSeq === undefined) return this.#newest(query);
    const found: T[] = [];
    for (let index = this.#firstAfter(query.afterSeq); index < this.#rows.length; index += 1) {
      if (found.length >= query.limit) break;
      const row = this.#rows[index];
      if (row !== undefined && query.wanted(row)) found.push(row);
    }
    return found;
  }

  /** `last`: the newest number, also where its row is gone. `after`: one less than the oldest row's. */
  range(): { after: number; last: number } {
    const first = this.#rows[0]?.seq;
    return { after: first === undefined ? this.#lastSeq : first - 1, last: this.#lastSeq };
  }

  remove(unwanted: (row: T) => boolean): number {
    const before = this.#rows.length;
    this.#rows = this.#rows.filter((row) => !unwanted(row));
    return before - this.#rows.length;
  }

  commit(): void {
    if (this.#staged.length === 0) return;
    this.#lastSeq += this.#staged.length;
    for (const row of this.#staged) this.#rows.push(row);
    this.#staged = [];
  }

  rollback(): void {
    this.#staged = [];
  }

  #newest(query: LogQuery<T>): T[] {
    const found: T[] = [];
    for (let index = this.#rows.length - 1; index >= 0 && found.length < query.limit; index -= 1) {
      const row = this.#rows[index];
      if (row !== undefined && query.wanted(row)) found.push(row);
    }
    return found.toReversed();
  }

  #firstAfter(seq: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle]?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
