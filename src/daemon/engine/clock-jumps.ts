// Notices a wall clock that jumped (a laptop that slept), and moves every deadline by the gap instead
// of letting it fire. That comes before the next event: a wait that begins after the jump is reckoned
// in the new time already, and would be moved by a gap in which it did not wait.
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Input, WholeLoop } from "./loop.ts";

/** A wall clock that is this far ahead of the steady one jumped. */
const JUMP_MS = 30_000;

type ClockJumpsDeps = {
  store: Store;
  clock: Clock;
  loop: WholeLoop;
  onError: (error: unknown) => void;
};

export class ClockJumps {
  readonly #deps: ClockJumpsDeps;
  #wall: number;
  #steady: number;
  /** How far deadlines are still to be moved: a journal that cannot be written now loses no gap. */
  #gapMs = 0;
  #moving: Promise<void> | undefined;

  constructor(deps: ClockJumpsDeps) {
    this.#deps = deps;
    this.#wall = deps.clock.now();
    this.#steady = deps.clock.monotonicMs();
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

  /** Rejects where the journal cannot be written. */
  settle(): Promise<void> | undefined {
    this.#gapMs += this.#jumped();
    if (this.#gapMs !== 0) this.#moving ??= this.#move().finally(() => (this.#moving = undefined));
    return this.#moving;
  }

  /** The clock may jump again meanwhile. */
  async #move(): Promise<void> {
    while (this.#gapMs !== 0) {
      const gapMs = this.#gapMs;
      await this.#moveBy(gapMs);
      this.#gapMs -= gapMs;
    }
  }

  /** How far the wall clock went ahead of the steady one since the last look. */
  #jumped(): number {
    const { clock } = this.#deps;
    const gapMs = clock.now() - this.#wall - (clock.monotonicMs() - this.#steady);
    this.#wall = clock.now();
    this.#steady = clock.monotonicMs();
    return gapMs > JUMP_MS ? gapMs : 0;
  }

  /** In one transaction: a crash moves all of them or none, and nothing is moved twice. */
  async #moveBy(gapMs: number): Promise<void> {
    const { store, clock, loop } = this.#deps;
    const event = { kind: "clock-jumped", at: clock.now(), gapMs } as const;
    const inputs = (await store.aggregates({ isBrief: true })).map(({ id }) => ({ to: id, event }));
    try {
      await loop.submitAll(inputs);
    } catch (error) {
      if (error instanceof OperationError) throw error;
      for (const input of inputs) await this.#tell(input);
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
