// How many checks run at once: a fixed number of slots, each with a checkout of its own, given out
// first come first served.

export type Slots = {
  /** Resolves with a free slot, in the order of the calls; rejects as soon as `signal` aborts. */
  take(signal: AbortSignal): Promise<Slot>;
};

export type Slot = { index: number; release(): void };

type Waiter = { grant(index: number): void };

export function createSlots(count: number): Slots {
  const free = Array.from({ length: count }, (_, index) => index);
  const waiting: Waiter[] = [];

  const release = (index: number): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(index);
    else next.grant(index);
  };

  const toSlot = (index: number): Slot => {
    let isReleased = false;
    return {
      index,
      release: () => {
        if (!isReleased) release(index);
        isReleased = true;
      },
    };
  };

  const wait = (signal: AbortSignal) =>
    new Promise<Slot>((resolve, reject) => {
      const waiter: Waiter = {
        grant: (index) => {
          signal.removeEventListener("abort", onAbort);
          resolve(toSlot(index));
        },
      };
      const onAbort = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(new Error("aborted while waiting for a slot", { cause: signal.reason }));
      };
      waiting.push(waiter);
      signal.addEventListener("abort", onAbort, { once: true });
    });

  return {
    take: async (signal) => {
      signal.throwIfAborted();
      const index = free.shift();
      return index === undefined ? wait(signal) : toSlot(index);
    },
  };
}
