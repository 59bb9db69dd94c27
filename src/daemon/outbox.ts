// Carries out what the journal says must be done: lanes side by side, one effect at a time within
// a lane, in order. An effect is removed only together with its outcome, so that a crash at any
// point means it is carried out again. Retryable failures are tried again within a budget.
import type { Event } from "../core/event.ts";
import { describeError, OperationError } from "../lib/operation-error.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { OutboxRow, Store } from "../ports/store.ts";
import type { Committed, Loop } from "./loop.ts";

const ATTEMPTS_MAX = 20;
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
  /** Starts nothing new and lets go of what is under way; the journal keeps it all. */
  stop(): void;
};

export function createOutbox(deps: {
  store: Store;
  clock: Clock;
  loop: Loop;
  execute: Execute;
  /** Only these are carried out here; the rest stays in the journal for a daemon. */
  wants: (row: Row) => boolean;
  /** Called when an effect's outcome is in the journal. */
  onDone: (row: Row) => void;
  onError: (error: unknown, row: Row) => void;
}): Outbox {
  const lanes = new Map<string, Row[]>();
  const running = new Map<string, AbortController>();
  const timers = new Map<string, Timer>();
  let stopped = false;

  function add(row: Row): void {
    if (!deps.wants(row)) return;
    const lane = lanes.get(row.lane) ?? [];
    if (lane.some((other) => other.key === row.key)) return;
    lane.push(row);
    lanes.set(row.lane, lane);
    pump(row.lane);
  }

  function pump(name: string): void {
    const head = lanes.get(name)?.[0];
    if (stopped || head === undefined || running.has(head.key)) return;
    const waitMs = head.notBefore - deps.clock.now();
    if (waitMs > 0) {
      wakeLater(name, waitMs);
      return;
    }
    const controller = new AbortController();
    running.set(head.key, controller);
    work(head, controller).catch((error: unknown) => deps.onError(error, head));
  }

  function wakeLater(name: string, waitMs: number): void {
    timers.get(name)?.cancel();
    timers.set(
      name,
      deps.clock.after(waitMs, () => pump(name)),
    );
  }

  async function work(row: Row, controller: AbortController): Promise<void> {
    try {
      const outcome = await deps.execute(row, controller.signal);
      if (stopped) return;
      await settle(row, outcome);
      drop(row);
      deps.onDone(row);
    } catch (error) {
      if (stopped) return;
      if (controller.signal.aborted) drop(row);
      else await failed(row, error);
    } finally {
      running.delete(row.key);
      pump(row.lane);
    }
  }

  async function settle(row: Row, outcome: Event | undefined): Promise<void> {
    if (outcome === undefined) await deps.store.transaction((tx) => tx.settle(row.key));
    else await deps.loop.submit({ to: row.aggregate, event: outcome, settles: row.key });
  }

  async function failed(row: Row, error: unknown): Promise<void> {
    deps.onError(error, row);
    const attempts = row.attempts + 1;
    const retryable = error instanceof OperationError && error.retryable;
    if (retryable && attempts < ATTEMPTS_MAX) {
      const notBefore = deps.clock.now() + backoffMs(attempts);
      Object.assign(row, { attempts, notBefore });
      await deps.store.transaction((tx) => tx.postpone(row.key, { attempts, notBefore }));
      return;
    }
    const { key, lane, effect } = row;
    const event: Event = {
      kind: "effect-failed",
      at: deps.clock.now(),
      failed: { obligation: { key, lane, effect }, ...describeError(error) },
    };
    await deps.loop.submit({ to: row.aggregate, event, settles: row.key });
    drop(row);
  }

  function drop(row: Row): void {
    const lane = lanes.get(row.lane)?.filter((other) => other !== row) ?? [];
    if (lane.length === 0) lanes.delete(row.lane);
    else lanes.set(row.lane, lane);
  }

  function cancel(key: string): void {
    for (const row of [...lanes.values()].flat().filter((other) => other.key === key)) {
      const controller = running.get(key);
      if (controller === undefined) drop(row);
      else controller.abort();
    }
  }

  return {
    resume: async () => {
      for (const row of await deps.store.outbox()) add(row);
    },
    accept: (committed) => {
      for (const key of committed.cancelled) cancel(key);
      for (const effect of committed.effects) add({ ...effect, attempts: 0, notBefore: 0 });
    },
    pending: () => [...lanes.values()].flat(),
    stop: () => {
      stopped = true;
      for (const timer of timers.values()) timer.cancel();
      for (const controller of running.values()) controller.abort();
    },
  };
}

export const backoffMs = (attempts: number): number =>
  Math.min(BACKOFF_FIRST_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
