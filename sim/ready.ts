// Answers that are ready at the same moment of simulated time, and the order in which they arrive.
// Without it the answer to the first call is always the first to arrive, and code that relies on
// that passes. Where it is on, the seed decides: some arrive now, in any order, and the rest later
// in the same moment.
import type { Prng } from "../src/lib/prng.ts";

export class Ready {
  readonly #prng: Prng;
  readonly #waiting: (() => void)[] = [];

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  /** An answer waits here for its turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Of a slow call: whether the answer is on its way for so long, and out of date when it arrives. */
  isAnswerLate(): boolean {
    return this.#prng.chance(0.5);
  }

  /** Lets at least one answer arrive; false where none waits. */
  release(): boolean {
    const waiting = this.#waiting;
    if (waiting.length === 0) return false;
    const left = this.#prng.int(waiting.length);
    while (waiting.length > left) {
      const index = this.#prng.int(waiting.length);
      const resolve = waiting[index];
      const last = waiting.pop();
      if (resolve !== last && last !== undefined) waiting[index] = last;
      resolve?.();
    }
    return true;
  }
}
