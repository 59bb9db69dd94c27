// Time in the simulator: it stands still until the world asks for the next timer, and then jumps
// there. The wall clock can be moved without the steady one, as a laptop that slept does.
import type { Prng } from "../../src/lib/prng.ts";
import type { Clock, Timer } from "../../src/ports/clock.ts";

/** An arbitrary Monday morning, so that stories show readable times. */
const START_MS = Date.UTC(2026, 0, 5, 8);

type Waiting = { at: number; seq: number; call: (() => void) | undefined };

export class SimClock implements Clock {
  readonly boot = "simulated";
  #steadyMs = 0;
  #jumpedMs = 0;
  #seq = 0;
  readonly #heap: Waiting[] = [];
  readonly #order: Prng | undefined;

  /** With `order`, timers that are due at the same moment fire in any order. */
  constructor(order?: Prng) {
    this.#order = order;
  }

  now(): number {
    return START_MS + this.#steadyMs + this.#jumpedMs;
  }

  monotonicMs(): number {
    return this.#steadyMs;
  }

  after(delayMs: number, call: () => void): Timer {
    this.#seq += 1;
    const waiting: Waiting = {
      at: this.#steadyMs + Math.max(0, Math.ceil(delayMs)),
      seq: this.#order === undefined ? this.#seq : this.#order.next(),
      call,
    };
    this.#push(waiting);
    return {
      cancel: () => {
        waiting.call = undefined;
      },
    };
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  /** Moves the wall clock only. */
  jump(gapMs: number): void {
    this.#jumpedMs += gapMs;
  }

  /** Goes to the next timer that is due by `until` and calls it; false where there is none. */
  advance(until: number): boolean {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.at > until) {
        this.#steadyMs = Math.max(this.#steadyMs, until);
        return false;
      }
      this.#pop();
      if (next.call === undefined) continue;
      this.#steadyMs = Math.max(this.#steadyMs, next.at);
      next.call();
      return true;
    }
  }

  /** Goes on from timer to timer until this is settled. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = work.finally(() => (isSettled = true));
    settled.catch(() => undefined);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isSettled || !this.advance(Infinity)) return settled;
    }
  }

  #push(waiting: Waiting): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(waiting);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, waiting)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = waiting;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = heap[left + 1];
      let child = heap[left];
      if (child === undefined) break;
      let index = left;
      if (right !== undefined && isBefore(right, child)) {
        child = right;
        index = left + 1;
      }
      if (isBefore(last, child)) break;
      heap[at] = child;
      at = index;
    }
    heap[at] = last;
  }
}

const isBefore = (a: Waiting, b: Waiting): boolean =>
  a.at < b.at || (a.at === b.at && a.seq < b.seq);
