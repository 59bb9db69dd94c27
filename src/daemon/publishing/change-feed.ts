// Wakes followers after every commit. A follower is only a position in the journal: what it has not
// read yet stays there, so that a slow one costs no memory and one that disconnects leaves nothing.
import type { Store } from "../../ports/store.ts";

/** `quiet`: nothing was committed for a while. `closed`: the daemon ends, or the follower has gone. */
export type Woken = "changed" | "quiet" | "closed";

/** Short enough that a proxy keeps the connection, and that a missed wake-up is soon made good. */
const QUIET_MS = 10_000;

export class ChangeFeed {
  readonly #quietMs: number;
  readonly #waiting = new Set<(woken: Woken) => void>();
  #closed = false;

  constructor(quietMs: number = QUIET_MS) {
    this.#quietMs = quietMs;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** How many followers wait for the next commit. */
  get followers(): number {
    return this.#waiting.size;
  }

  /** Resolves at the next wake-up. Ask before you read the journal: a commit in between is not missed. */
  next(gone: AbortSignal): Promise<Woken> {
    if (this.#closed || gone.aborted) return Promise.resolve("closed");
    return new Promise((resolve) => {
      const leave = (): void => wake("closed");
      const timer = setTimeout(() => wake("quiet"), this.#quietMs);
      // A follower alone keeps no program alive.
      timer.unref();
      const wake = (woken: Woken): void => {
        clearTimeout(timer);
        gone.removeEventListener("abort", leave);
        this.#waiting.delete(wake);
        resolve(woken);
      };
      this.#waiting.add(wake);
      gone.addEventListener("abort", leave);
    });
  }

  changed(): void {
    for (const wake of this.#waiting) wake("changed");
  }

  close(): void {
    this.#closed = true;
    for (const wake of this.#waiting) wake("closed");
  }
}

/** The same journal; every commit wakes the followers of the feed. */
export const announcing = (store: Store, feed: Pick<ChangeFeed, "changed">): Store => ({
  ...store,
  transaction: async (work) => {
    const result = await store.transaction(work);
    feed.changed();
    return result;
  },
});
