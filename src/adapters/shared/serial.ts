// One at a time per key: two calls that would write the same index or ref wait for each other.

export type Serial = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createSerial(): Serial {
  const tails = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve();
    // The one before may fail; its own caller hears of it.
    const mine = before.then(work, work);
    tails.set(key, mine);
    const forget = (): void => {
      if (tails.get(key) === mine) tails.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  };
}
