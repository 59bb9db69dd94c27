// Notices a wall clock that jumped (a laptop that slept), and moves every deadline by the gap instead
// of letting it fire. That comes before the next event: a wait that begins after the jump is reckoned
// in the new time already, and would be moved by a gap in which it did not wait.
//
// How far the two clocks are apart is kept in the journal with the events that move the deadlines, so
// that a daemon notices on its start that the machine slept while no daemon ran.
import type { Clock } from "../../ports/clock.ts";
import type { Store, Transaction } from "../../ports/store.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Input, JournalLoop, WholeLoop } from "./loop.ts";

/** A wall clock that is this far ahead of the steady one jumped. */
const JUMP_MS = 30_000;

/** How far the wall clock was ahead of the steady one in this run of the machine. */
type Anchor = { boot: string; aheadMs: number };
const COLLECTION = "clock";
const KEY = "anchor";

type ClockJumpsDeps = {
  store: Store;
  clock: Clock;
  loop: JournalLoop;
  onError: (error: unknown) => void;
};

export class ClockJumps {
  readonly #deps: ClockJumpsDeps;
  /** How far the wall clock was ahead when this daemon began. */
  readonly #beganMs: number;
  /** The jumps up to here have moved the deadlines; undefined until it was read. */
  #movedMs: number | undefined;
  #moving: Promise<void> | undefined;

  constructor(deps: ClockJumpsDeps) {
    this.#deps = deps;
    this.#beganMs = aheadOf(deps.clock);
  }

  /** The loop for everyone else: no event comes between a jump and the move of the deadlines. */
  get loop(): WholeLoop {
    const { loop } = this.#deps;
    return {
      submit: (input) => this.#after(() => loop.submit(input)),
      submitAll: (inputs) => this.#after(() => loop.submitAll(inputs)),
    };
  }

  /** At once where no clock jumped: events that come together share a commit. */
  #after<T>(submit: () => Promise<T>): Promise<T> {
    const moving = this.settle();
    return moving === undefined ? submit() : moving.then(submit);
  }

  /** Rejects where the journal cannot be written: the gap is still there for the next try. */
  settle(): Promise<void> | undefined {
    if (this.#movedMs === undefined || this.#hasJumped(this.#movedMs))
      this.#moving ??= this.#move().finally(() => (this.#moving = undefined));
    return this.#moving;
  }

  #hasJumped(movedMs: number): boolean {
    return Math.abs(aheadOf(this.#deps.clock) - movedMs) > JUMP_MS;
  }

  /** The clock may jump again meanwhile. */
  async #move(): Promise<void> {
    this.#movedMs ??= await this.#readAnchor();
    while (this.#hasJumped(this.#movedMs)) {
      const aheadMs = aheadOf(this.#deps.clock);
      await this.#moveBy(aheadMs - this.#movedMs, aheadMs);
      this.#movedMs = aheadMs;
    }
  }

  /** Without an anchor of this run of the machine there is nothing to compare with. */
  async #readAnchor(): Promise<number> {
    const { store, clock } = this.#deps;
    const kept = await store.records.get<Anchor>(COLLECTION, KEY);
    if (kept !== undefined && clock.boot !== "" && kept.value.boot === clock.boot)
      return kept.value.aheadMs;
    await store.transaction(this.#keep(this.#beganMs));
    return this.#beganMs;
  }

  #keep(aheadMs: number): (tx: Transaction) => Promise<void> {
    const anchor: Anchor = { boot: this.#deps.clock.boot, aheadMs };
    return ({ records }) => records.put(COLLECTION, KEY, anchor);
  }

  /**
   * In one transaction: a crash moves all of them or none, and nothing is moved twice. A clock that was
   * set back moves nothing.
   */
  async #moveBy(gapMs: number, aheadMs: number): Promise<void> {
    const { store, clock, loop } = this.#deps;
    const event = { kind: "clock-jumped", at: clock.now(), gapMs } as const;
    const moved = gapMs > 0 ? await store.aggregates({ isBrief: true }) : [];
    const inputs = moved.map(({ id }) => ({ to: id, event }));
    try {
      await loop.submitWith(inputs, this.#keep(aheadMs));
    } catch (error) {
      if (error instanceof OperationError) throw error;
      for (const input of inputs) await this.#tell(input);
      await store.transaction(this.#keep(aheadMs));
    }
  }

  /** One aggregate that cannot be stepped, by a bug, must not keep all others from their deadlines. */
  async #tell(input: Input): Promise<void> {
    try {
      await this.#deps.loop.submit(input);
    } catch (error) {
      if (error instanceof OperationError) throw error;
      this.#deps.onError(error);
    }
  }
}

const aheadOf = (clock: Clock): number => clock.now() - clock.monotonicMs();
