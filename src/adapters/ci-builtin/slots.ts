// How many checks run at once: a fixed number of slots, each with a checkout of its own, given out
// first come first served.

export type Slots = {
  /** Resolves with a free slot, in the order of the calls; rejects as soon as `signal` aborts. */
  take(signal: AbortSignal): Promise<Slot>;
  /** A slot that is in use beyond the new count is given up when it is released. */
  resize(count: number): void;
  isTaken(index: number): boolean;
  /** Whether `take` would wait for no other check. */
  hasFree(): boolean;
};

export type Slot = { index: number; release(): void };

type Waiter = { grant(index: number): void };

export function createSlots(): Slots {
  let size = 0;
  const taken = new Set<number>();
  const waiting: Waiter[] = [];

  const findFree = (): number | undefined => {
    for (let index = 0; index < size; index++) if (!taken.has(index)) return index;
    return undefined;
  };

  const serve = (): void => {
    for (let index = findFree(); index !== undefined; index = findFree()) {
      const next = waiting.shift();
      if (next === undefined) return;
      taken.add(index);
      next.grant(index);
    }
  };

  const release = (index: number): void => {
    taken.delete(index);
    serve();
  };

  return {
    take: async (signal) => {
      signal.throwIfAborted();
      const granted = standInLine(waiting, signal);
      serve();
      return toSlot(await granted, release);
    },
    resize: (count) => {
      size = count;
      serve();
    },
    isTaken: (index) => taken.has(index),
    hasFree: () => findFree() !== undefined,
  };
}

function standInLine(waiting: Waiter[], signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      grant: (index) => {
        signal.removeEventListener("abort", leave);
        resolve(index);
      },
    };
    const leave = (): void => {
      waiting.splice(waiting.indexOf(waiter), 1);
      reject(new Error("aborted while waiting for a slot", { cause: signal.reason }));
    };
    waiting.push(waiter);
    signal.addEventListener("abort", leave, { once: true });
  });
}

function toSlot(index: number, release: (index: number) => void): Slot {
  let isReleased = false;
  return {
    index,
    release: () => {
      if (!isReleased) release(index);
      isReleased = true;
    },
  };
}
