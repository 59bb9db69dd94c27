// Upkeep of many things of one kind: one that fails keeps no other from its turn.

/** All of them, one after the other; the first error is thrown once all had their turn. */
export async function eachAlone<T>(
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const one of all) {
    try {
      await work(one);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
