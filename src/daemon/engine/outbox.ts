// Carries out what the journal says must be done: lanes side by side, one effect at a time within
// a lane, in order. An effect is removed only together with its outcome, so that a crash at any
// point means it is carried out again. Retryable failures are tried again within a budget; so are those
// of a machine that has run short of something (a full disk).
import type { Event } from "../../core/event.ts";
import { OUTCOME_REFUSED } from "../../core/quarantine.ts";
import { isShortage } from "../../adapters/shared/shortage.ts";
import { describeError, isOutage, OperationError } from "../../lib/operation-error.ts";
import { LET_GO } from "../../ports/commands.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { OutboxRow, Store } from "../../ports/store.ts";
import type { DeathNotes } from "./death-notes.ts";
import { findPoison, forgetDeaths } from "./poison.ts";
import type { Committed, Loop } from "./loop.ts";

const ATTEMPTS_MAX = 20;
/** A forge that is down for a day costs no work: about 24 h at the longest back-off. */
const ATTEMPTS_OUTAGE_MAX = 300;
/** An outcome that an assertion refuses so often is refused for ever. */
const REFUSED_MAX = 3;
/** What cannot even be given up is tried again after this. */
const QUARANTINE_MS = 3_600_000;
const CANCELLED = "cancelled";
const BACKOFF_FIRST_MS = 1000;
const BACKOFF_MAX_MS = 300_000;

export type Row = Omit<OutboxRow, "seq">;

/** Carries out one effect; the event is its outcome (undefined: nothing to tell). */
export type Execute = (row: Row, signal: AbortSignal) => Promise<Event | undefined>;

export type Outbox = {
  /** Takes up what an earlier daemon left behind. */
  resume(): Promise<void>;
  accept(committed: Pick<Committed, "effects" | "cancelled">): void;
  /** Effects that wait or are under way. */
  pending(): readonly Row[];
  /** Failed effects that wait for their next attempt are tried now: the obstacle may be gone. */
  hurry(wants: (row: Row) => boolean): void;
  /** Starts nothing new and lets go of what is under way; the journal keeps it all. */
  stop(): void;
};

export type OutboxDeps = {
  store: Store;
  clock: Clock;
  loop: Loop;
  execute: Execute;
  /** Only these are carried out here; the rest stays in the journal for a daemon. */
  wants: (row: Row) => boolean;
  /** Called when an effect's outcome is in the journal. */
  onDone: (row: Row) => void;
  onError: (error: unknown, row: Row) => void;
  /** Which effect the last daemon died of. */
  notes?: DeathNotes | undefined;
};

export const createOutbox = (deps: OutboxDeps): Outbox => new Lanes(deps);

class Lanes implements Outbox {
  readonly #deps: OutboxDeps;
  readonly #lanes = new Map<string, Row[]>();
  readonly #running = new Map<Row, AbortController>();
  readonly #timers = new Map<string, Timer>();
  /** How often the outcome of an effect could not be processed. */
  readonly #refused = new WeakMap<Row, number>();
  /** Which effects earlier daemons died of: they fail when their turn comes. */
  #poison = new Map<string, OperationError>();
  /** One of these may have aborted the last daemon: only one of them is under way at a time. */
  #suspects = new Set<string>();
  /** What ended while an outbox that is at work reads its rows again. */
  readonly #endedSince = new Set<Set<string>>();
  #stopped = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  async resume(): Promise<void> {
    const ended = new Set<string>();
    this.#endedSince.add(ended);
    const rows = await this.#read().finally(() => this.#endedSince.delete(ended));
    // All of them before any is quarantined: what follows from that may cancel others, or add some.
    for (const row of rows) if (!ended.has(row.key)) this.#add(row);
  }

  async #read(): Promise<Row[]> {
    const { store, notes } = this.#deps;
    const rows = await store.outbox();
    if (notes === undefined) return rows;
    const { poison, suspects } = await findPoison(store, notes, rows);
    this.#poison = poison;
    this.#suspects = suspects;
    return rows;
  }

  /** Not carried out: what wanted it hears that it failed. Where not even that can be taken in, it waits. */
  async #quarantine(row: Row, error: unknown): Promise<void> {
    const { store, clock, onError } = this.#deps;
    onError(error, row);
    try {
      await this.#giveUp(row, error);
    } catch (refused) {
      onError(refused, row);
      row.notBefore = clock.now() + QUARANTINE_MS;
      return;
    }
    this.#drop(row);
    // A person may have it tried again, and then it has two lives again.
    this.#poison.delete(row.key);
    await forgetDeaths(store, row.key).catch((failed: unknown) => onError(failed, row));
  }

  accept(committed: Pick<Committed, "effects" | "cancelled">): void {
    for (const key of committed.cancelled) this.#cancel(key);
    for (const effect of committed.effects) this.#add({ ...effect, attempts: 0, notBefore: 0 });
  }

  pending(): readonly Row[] {
    return [...this.#lanes.values()].flat();
  }

  hurry(wants: (row: Row) => boolean): void {
    for (const [name, [head]] of this.#lanes) {
      if (head === undefined || head.attempts === 0 || !wants(head)) continue;
      head.notBefore = 0;
      this.#timers.get(name)?.cancel();
      this.#pump(name);
    }
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
    for (const controller of this.#running.values()) controller.abort(LET_GO);
  }

  #add(row: Row): void {
    if (!this.#deps.wants(row)) return;
    const lane = this.#lanes.get(row.lane) ?? [];
    // One that was cancelled and has not ended yet is another obligation, though it has the same
    // key.
    if (lane.some((other) => other.key === row.key && !this.#isCancelled(other))) return;
    lane.push(row);
    this.#lanes.set(row.lane, lane);
    this.#pump(row.lane);
  }

  /** Starts the first effect of a lane, unless it is under way or has to wait. */
  #pump(name: string): void {
    const head = this.#lanes.get(name)?.[0];
    if (this.#stopped || head === undefined || this.#running.has(head)) return;
    if (this.#waitsForSuspect(head)) return;
    const waitMs = head.notBefore - this.#deps.clock.now();
    if (waitMs > 0) {
      this.#timers.get(name)?.cancel();
      // A wall clock that was ahead and is set right leaves times that are far away.
      const timer = this.#deps.clock.after(Math.min(waitMs, this.#waitMaxMs(head)), () => {
        if (!this.#running.has(head)) head.notBefore = 0;
        this.#pump(name);
      });
      this.#timers.set(name, timer);
      return;
    }
    const controller = new AbortController();
    this.#running.set(head, controller);
    this.#work(head, controller)
      .catch((error: unknown) => this.#unwritten(head, error))
      .finally(() => {
        this.#running.delete(head);
        // Also where it was cancelled while its failure was being written down.
        if (controller.signal.aborted && !this.#stopped) this.#drop(head);
        this.#pump(name);
        if (this.#suspects.has(head.key)) for (const other of this.#lanes.keys()) this.#pump(other);
      });
  }

  #waitMaxMs(row: Row): number {
    const isQuarantined = this.#poison.has(row.key) || (this.#refused.get(row) ?? 0) >= REFUSED_MAX;
    return isQuarantined ? QUARANTINE_MS : BACKOFF_MAX_MS;
  }

  #waitsForSuspect({ key }: Row): boolean {
    return (
      this.#suspects.has(key) &&
      [...this.#running.keys()].some((row) => this.#suspects.has(row.key))
    );
  }

  async #work(row: Row, controller: AbortController): Promise<void> {
    const poison = this.#poison.get(row.key);
    if (poison !== undefined) return this.#quarantine(row, poison);
    let outcome: Event | undefined;
    try {
      outcome = await this.#execute(row, controller.signal);
    } catch (error) {
      if (!this.#stopped && !controller.signal.aborted) await this.#failed(row, error);
      return;
    }
    // It was cancelled: the effect that has its key by now has its own outcome.
    if (this.#stopped || controller.signal.aborted) return;
    await this.#settle(row, outcome);
    this.#drop(row);
    this.#deps.onDone(row);
  }

  #execute(row: Row, signal: AbortSignal): Promise<Event | undefined> {
    const { notes, execute } = this.#deps;
    if (notes === undefined) return execute(row, signal);
    return notes.during(row.key, () => execute(row, signal));
  }

  async #settle(row: Row, outcome: Event | undefined): Promise<void> {
    const { store, loop } = this.#deps;
    if (outcome === undefined) await store.transaction((tx) => tx.settle(row.key));
    else await loop.submit({ to: row.aggregate, event: outcome, settles: row.key });
  }

  async #failed(row: Row, error: unknown): Promise<void> {
    const { store } = this.#deps;
    this.#deps.onError(error, row);
    const retryable = (error instanceof OperationError && error.retryable) || isShortage(error);
    const attemptsMax = isOutage(error) ? ATTEMPTS_OUTAGE_MAX : ATTEMPTS_MAX;
    if (retryable && row.attempts + 1 < attemptsMax) {
      const { attempts, notBefore } = this.#postpone(row);
      await store.transaction((tx) => tx.postpone(row.key, { attempts, notBefore }));
      return;
    }
    await this.#giveUp(row, error);
    this.#drop(row);
  }

  async #giveUp({ key, lane, effect, aggregate }: Row, error: unknown): Promise<void> {
    const { loop, clock } = this.#deps;
    const event: Event = {
      kind: "effect-failed",
      at: clock.now(),
      failed: { obligation: { key, lane, effect }, ...describeError(error) },
    };
    await loop.submit({ to: aggregate, event, settles: key });
  }

  /** The journal could not be written (a full disk): the effect stays, and waits before it is tried again. */
  async #unwritten(row: Row, error: unknown): Promise<void> {
    if (this.#stopped) return;
    this.#deps.onError(error, row);
    this.#postpone(row);
    if (error instanceof OperationError) return;
    // A bug: the same outcome will be refused again.
    const refused = (this.#refused.get(row) ?? 0) + 1;
    this.#refused.set(row, refused);
    if (refused >= REFUSED_MAX) await this.#quarantine(row, outcomeRefused(row, error));
  }

  #postpone(row: Row): Row {
    row.attempts += 1;
    row.notBefore = this.#deps.clock.now() + backoffMs(row.attempts);
    return row;
  }

  #drop(row: Row): void {
    for (const ended of this.#endedSince) ended.add(row.key);
    const lane = this.#lanes.get(row.lane)?.filter((other) => other !== row) ?? [];
    if (lane.length === 0) this.#lanes.delete(row.lane);
    else this.#lanes.set(row.lane, lane);
  }

  #isCancelled(row: Row): boolean {
    return this.#running.get(row)?.signal.aborted === true;
  }

  #ofKey(key: string): Row[] {
    const found: Row[] = [];
    for (const lane of this.#lanes.values()) {
      for (const row of lane) if (row.key === key) found.push(row);
    }
    return found;
  }

  #cancel(key: string): void {
    for (const row of this.#ofKey(key)) {
      const controller = this.#running.get(row);
      if (controller === undefined) this.#drop(row);
      // A reason of its own: making an exception for each takes longer than the rest of a commit.
      else controller.abort(CANCELLED);
    }
  }
}

const outcomeRefused = ({ effect }: Row, error: unknown): OperationError =>
  new OperationError(
    `cannot process the outcome of ${effect.kind}: ${error instanceof Error ? error.message : String(error)}`,
    { code: OUTCOME_REFUSED, hint: "this is a bug in Pawl; report it", cause: error },
  );

export const backoffMs = (attempts: number): number =>
  Math.min(BACKOFF_FIRST_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
