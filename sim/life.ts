// One life of the daemon: it can be ended at any crash point and at any call of a port or of the
// store. What a dead one still had under way never comes back, as with kill -9: its promises stay
// open, its timers do not fire, its transactions roll back.
import type { Clock } from "../src/ports/clock.ts";
import type { Store, Transaction } from "../src/ports/store.ts";
import type { Journaled } from "./fact.ts";
import { callOf, type Call } from "./faults.ts";
import type { World } from "./world.ts";

export class Life {
  dead = false;
  readonly number: number;
  readonly world: World;

  constructor(world: World, number: number) {
    this.world = world;
    this.number = number;
  }

  kill(at: string): void {
    if (this.dead) return;
    this.dead = true;
    this.world.tell({ kind: "daemon-killed", life: this.number, at });
  }

  /** A crash point: between two mutations, inside a port or around it. */
  readonly pass = (name: string): Promise<void> | void => {
    if (!this.dead && this.world.faults.strikes("kill")) this.kill(name);
    return this.dead ? never() : undefined;
  };

  /** Counts the call, lets it be late or fail, and keeps its answer from a dead daemon. */
  async #call<T>(
    call: Call,
    run: (...args: unknown[]) => Promise<T> | T,
    args: unknown[],
  ): Promise<T> {
    const { world } = this;
    if (this.dead) return never();
    world.countCall(call.name);
    if (world.failure !== undefined) return never();
    const { faults, clock, ready } = world;
    if (!faults.on) {
      const result = await run(...args);
      if (ready !== undefined) await ready.turn();
      return this.dead ? never() : result;
    }
    const waitMs = faults.latencyMs(call);
    const isAnswerLate = waitMs > 0 && ready?.isAnswerLate() === true;
    if (waitMs > 0 && !isAnswerLate) await clock.sleep(waitMs);
    if (this.dead) return never();
    const error = faults.portError(call, clock.monotonicMs());
    if (error !== undefined) throw error;
    const result = await run(...args);
    if (isAnswerLate) await clock.sleep(waitMs);
    if (ready !== undefined) await ready.turn();
    if (this.dead) return never();
    const lost = faults.lostAnswer(call);
    if (lost !== undefined) throw lost;
    return result;
  }

  /** Every method of a port goes through `#call`; those in `plain` are passed as they are. */
  port<Port extends object>(name: string, port: Port, plain: (keyof Port)[] = []): Port {
    const entries = Object.entries(port) as [
      keyof Port & string,
      (...args: unknown[]) => unknown,
    ][];
    const through = entries.map(([method, run]) => {
      if (plain.includes(method)) return [method, run];
      const call = callOf(name, method);
      return [method, (...args: unknown[]) => this.#call(call, run, args)];
    });
    return Object.fromEntries(through) as Port;
  }

  clock(): Clock {
    const { clock } = this.world;
    return {
      now: () => clock.now(),
      boot: clock.boot,
      monotonicMs: () => clock.monotonicMs(),
      after: (delayMs, run) =>
        clock.after(delayMs, () => {
          if (!this.dead) run();
        }),
    };
  }

  store(): Store {
    const { world } = this;
    const { store } = world;
    return {
      ...this.#reads(store),
      transaction: async (work) => {
        if (this.dead) return never();
        world.countCall("store.transaction");
        if (world.failure !== undefined) return never();
        const full = world.faults.storeFull(world.clock.monotonicMs());
        if (full !== undefined) throw full;
        try {
          const journaled = emptyJournaled();
          const result = await store.transaction((tx) =>
            this.#inTransaction(recording(tx, journaled), work),
          );
          if (isNews(journaled)) world.tell({ kind: "journaled", journaled });
          return this.dead ? await never() : result;
        } catch (error) {
          if (this.dead) return never();
          throw error;
        }
      },
    };
  }

  /** A daemon that dies inside a transaction leaves nothing of it behind. */
  async #inTransaction<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.dead) throw new Error("killed before its transaction began");
    const result = await work(tx);
    if (this.world.faults.strikes("kill")) this.kill("store.transaction");
    if (this.dead) throw new Error("killed before its transaction was durable");
    return result;
  }

  #reads(store: Store): Store {
    const alive =
      <A extends unknown[], T>(read: (...args: A) => Promise<T>) =>
      (...args: A): Promise<T> =>
        this.dead ? never() : read(...args);
    return {
      ...store,
      load: alive((id) => store.load(id)),
      aggregates: alive((filter) => store.aggregates(filter)),
      history: alive((query) => store.history(query)),
      named: alive((query) => store.named(query)),
      due: alive((at) => store.due(at)),
      nextWake: alive((after) => store.nextWake(after)),
      outbox: alive(() => store.outbox()),
    };
  }
}

/** A fresh one each time: a shared one would keep everybody who ever waited. */
const never = <T>(): Promise<T> =>
  new Promise(() => {
    // It is never settled.
  });

const emptyJournaled = (): Journaled => ({
  written: [],
  events: [],
  states: [],
  effects: [],
  settled: [],
  postponed: [],
  signals: [],
});

const isNews = ({ events, states, effects, settled, postponed }: Journaled): boolean =>
  events.length + states.length + effects.length + settled.length + postponed.length > 0;

/** The transaction as it is, with a note of everything that is written in it. */
function recording(tx: Transaction, note: Journaled): Transaction {
  return {
    ...tx,
    save: (id, state, wakeAt) => {
      note.written.push({ kind: "state", id, state });
      note.states.push({ id, state, isArchived: false });
      return tx.save(id, state, wakeAt);
    },
    archive: (id, state, entry) => {
      note.written.push({ kind: "state", id, state });
      note.states.push({ id, state, isArchived: true });
      return tx.archive(id, state, entry);
    },
    append: (to, event) => {
      note.written.push({ kind: "event", to, event });
      note.events.push({ to, event });
      return tx.append(to, event);
    },
    enqueue: (row) => {
      note.written.push({ kind: "effect", row });
      note.effects.push(row);
      return tx.enqueue(row);
    },
    settle: async (key) => {
      const waited = await tx.settle(key);
      if (!waited) return false;
      note.written.push({ kind: "settled", key });
      note.settled.push(key);
      return true;
    },
    postpone: (key, retry) => {
      note.postponed.push({ key, attempts: retry.attempts });
      return tx.postpone(key, retry);
    },
    emit: (signal) => {
      note.signals.push(signal);
      return tx.emit(signal);
    },
  };
}
