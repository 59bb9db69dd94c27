// The loop: event in, step, ONE transaction for event + state + effects, then the effects may run.
// Facts for other aggregates are applied in the same transaction, so that no crash can come
// between them. The daemon and the simulator run this same file.
import type { Obligation, Output, Tell } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { AggregateId } from "../../core/ids.ts";
import { step, type AggregateState } from "../../core/step.ts";
import { assert } from "../../lib/assert.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Store, Transaction } from "../../ports/store.ts";
import { saveState } from "./save-state.ts";

/**
 * One event may tell others, and those others again. A chain of more than this is a loop in the
 * core; how many are told at once depends on the backlog, and is no sign of one.
 */
const CHAIN_MAX = 100;
const TELLS_MAX = 1_000_000;

/**
 * Signs of life and checkpoints change the state, but keeping each of them would be most of the
 * journal: one every 2 s of a busy session. The chain of checkpoints is its own record.
 */
const NOT_KEPT: ReadonlySet<Event["kind"]> = new Set<Event["kind"]>([
  "session-seen",
  "checkpoint-made",
  "gate-observed",
]);

export type Input = {
  to: AggregateId;
  event: Event;
  /** An outside fact that may be seen twice is taken in once. */
  key?: string;
  /**
   * The effect whose outcome this is: removed in the same transaction, dropped if it was cancelled.
   */
  settles?: string;
};

export type Committed = {
  /** Each aggregate that changed, as it is now. */
  changed: { id: AggregateId; state: AggregateState }[];
  effects: (Obligation & { aggregate: AggregateId })[];
  cancelled: string[];
};

export type Loop = {
  /** Applies one event; false for a duplicate, or for the outcome of a cancelled effect. */
  submit(input: Input): Promise<boolean>;
};

/** What is seen of many sessions at once costs one write to the disk, not one for each. */
export type WholeLoop = Loop & {
  /**
   * Applies all of them in ONE transaction, in order; where one cannot be, none is. One with a key
   * that was taken in before is left out.
   */
  submitAll(inputs: readonly Omit<Input, "settles">[]): Promise<void>;
};

export type JournalLoop = WholeLoop & {
  /** As `submitAll`, and `also` writes in the same transaction. */
  submitWith(
    inputs: readonly Omit<Input, "settles">[],
    also: (tx: Transaction) => Promise<void>,
  ): Promise<void>;
};

type LoopDeps = {
  store: Store;
  crash: CrashPoint;
  /** Called after the transaction is durable, in commit order. */
  onCommitted: (committed: Committed) => void;
};

/** More events than this do not share a commit: nothing else can happen while they are applied. */
const TOGETHER_MAX = 32;

/** Events that belong together, until they are in the journal. */
type Waiting = {
  inputs: readonly Input[];
  also?: ((tx: Transaction) => Promise<void>) | undefined;
  resolve: (isTaken: boolean) => void;
  reject: (error: unknown) => void;
};

export function createLoop(deps: LoopDeps): JournalLoop {
  const commits = new Commits(deps);
  return {
    submit: (input) => commits.add([input]),
    submitAll: async (inputs) => {
      if (inputs.length > 0) await commits.add(inputs);
    },
    submitWith: async (inputs, also) => {
      await commits.add(inputs, also);
    },
  };
}

/**
 * Events that wait when a transaction begins are committed by it, also those of other callers: each commit
 * is a write to the disk. They are applied in the order in which they came.
 */
class Commits {
  readonly #deps: LoopDeps;
  readonly #waiting: Waiting[] = [];
  #isCommitting = false;

  constructor(deps: LoopDeps) {
    this.#deps = deps;
  }

  add(inputs: readonly Input[], also?: Waiting["also"]): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ inputs, also, resolve, reject });
      if (!this.#isCommitting) this.#commitAll().catch(reject);
    });
  }

  async #commitAll(): Promise<void> {
    this.#isCommitting = true;
    try {
      while (this.#waiting.length > 0) await this.#commitNext();
    } finally {
      this.#isCommitting = false;
    }
  }

  async #commitNext(): Promise<void> {
    let together: Waiting[] = [];
    try {
      await this.#commit(() => (together = this.#takeNext()));
    } catch (error) {
      // The journal could not even begin: all that waited for that hear of it.
      if (together.length === 0) together = this.#takeNext();
      // By a bug, one of them cannot be applied: that must not keep the others from the journal.
      const isOnesFault = together.length > 1 && !(error instanceof OperationError);
      if (isOnesFault) await this.#commitEach(together);
      else for (const one of together) one.reject(error);
    }
  }

  async #commitEach(together: readonly Waiting[]): Promise<void> {
    for (const one of together) {
      try {
        await this.#commit(() => [one]);
      } catch (error) {
        one.reject(error);
      }
    }
  }

  #takeNext(): Waiting[] {
    const waiting = this.#waiting;
    let count = 0;
    let events = 0;
    while (count < waiting.length) {
      events += waiting[count]?.inputs.length ?? 0;
      if (count > 0 && events > TOGETHER_MAX) break;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  /** `take` is asked once the transaction has begun. It rejects only where nothing was committed. */
  async #commit(take: () => Waiting[]): Promise<void> {
    const { store, crash } = this.#deps;
    const committed: Committed = { changed: [], effects: [], cancelled: [] };
    await crash("journal.commit:before");
    const taken = await store.transaction(async (tx) => {
      const each: Taken[] = [];
      for (const one of take()) each.push({ one, isTaken: await applyAll(tx, one, committed) });
      return each;
    });
    await crash("journal.commit:after");
    this.#tell(taken, committed);
  }

  #tell(taken: readonly Taken[], committed: Committed): void {
    try {
      if (taken.some(({ isTaken }) => isTaken)) this.#deps.onCommitted(committed);
      for (const { one, isTaken } of taken) one.resolve(isTaken);
    } catch (error) {
      for (const { one } of taken) one.reject(error);
    }
  }
}

type Taken = { one: Waiting; isTaken: boolean };

/** Whether any of them was taken in. */
async function applyAll(
  tx: Transaction,
  { inputs, also }: Waiting,
  committed: Committed,
): Promise<boolean> {
  let isTaken = false;
  for (const input of inputs) if (await applyInput(tx, input, committed)) isTaken = true;
  await also?.(tx);
  return isTaken;
}

async function applyInput(tx: Transaction, input: Input, committed: Committed): Promise<boolean> {
  if (input.settles !== undefined) {
    if (!(await tx.settle(input.settles))) return false;
    // One that this transaction itself asked for is settled before it began. A later event of this
    // commit may ask for an effect with the same key: that is another one.
    committed.effects = committed.effects.filter((effect) => effect.key !== input.settles);
    committed.cancelled.push(input.settles);
  }
  if (input.key !== undefined && !(await tx.takeIn(input.key, input.event.at))) return false;
  const { kind } = input.event;
  let count = 0;
  let facts: Tell[] = [{ to: input.to, event: input.event }];
  for (let chain = 0; facts.length > 0; chain += 1) {
    assert(chain < CHAIN_MAX, `more than ${CHAIN_MAX} facts follow one another from ${kind}`);
    count += facts.length;
    assert(count < TELLS_MAX, `more than ${TELLS_MAX} facts follow from ${kind}`);
    const next: Tell[] = [];
    for (const fact of facts) {
      for (const tell of (await applyEvent(tx, fact, committed)).tells) next.push(tell);
    }
    facts = next;
  }
  return true;
}

async function applyEvent(
  tx: Transaction,
  fact: { to: AggregateId; event: Event },
  committed: Committed,
): Promise<Output> {
  const stored = await tx.load(fact.to);
  const { state, output } = step(fact.to, stored?.state, fact.event);
  const changed = state !== stored?.state;
  const worthKeeping = !NOT_KEPT.has(fact.event.kind);
  if (worthKeeping && (changed || output.effects.length > 0)) await tx.append(fact.to, fact.event);
  if (changed && state !== undefined) {
    await saveState(tx, fact.to, state);
    const known = committed.changed.findIndex(({ id }) => id === fact.to);
    if (known !== -1) committed.changed.splice(known, 1);
    committed.changed.push({ id: fact.to, state });
  }
  for (const key of output.cancelled) {
    await tx.settle(key);
    // One that this transaction itself asked for is not even begun.
    committed.effects = committed.effects.filter((effect) => effect.key !== key);
    committed.cancelled.push(key);
  }
  for (const obligation of output.effects) {
    await tx.enqueue({ ...obligation, aggregate: fact.to });
    committed.effects.push({ ...obligation, aggregate: fact.to });
  }
  for (const signal of output.signals) await tx.emit(signal);
  return output;
}
