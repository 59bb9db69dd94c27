// How long a command waits for a factory that others hold: as long as they take turns. Commands that
// write pass it on to each other, so that the last of many waits longer than any of them works.

/** One holder for this long is no passing command: a daemon that starts takes less, too. */
const HOLDER_MAX_MS = 10_000;
/** Whatever happens: a person waits for the answer. */
const WAIT_MAX_MS = 90_000;

export class LockPatience {
  readonly #now: () => number;
  readonly #since: number;
  #holder: string | undefined;
  #holderSince: number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#since = now();
    this.#holderSince = this.#since;
  }

  /** `holder`: which program is said to hold it now, where that is known. */
  isOver(holder: string | undefined): boolean {
    const now = this.#now();
    if (holder !== undefined && holder !== this.#holder) {
      this.#holder = holder;
      this.#holderSince = now;
    }
    return now - this.#holderSince > HOLDER_MAX_MS || now - this.#since > WAIT_MAX_MS;
  }
}
