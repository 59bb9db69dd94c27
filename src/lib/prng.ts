// A seeded generator (xoshiro128**, seeded by splitmix32) for the simulator and for
// jitter. The same seed gives the same numbers on every machine and in every
// version: changing an algorithm here invalidates every recorded seed. Not for
// secrets.
import { assert } from "./assert.ts";

export type Prng = {
  // In [0, 1), with 32 bits of randomness.
  next(): number;
  // A whole number in [0, below).
  int(below: number): number;
  // True with the given probability. Always draws one number, so that changing a
  // probability does not shift what follows.
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  // A shuffled copy.
  shuffle<T>(items: readonly T[]): T[];
  // An independent generator: what one part draws does not disturb the others.
  fork(): Prng;
};

export function createPrng(seed: number): Prng {
  assert(Number.isSafeInteger(seed), `a seed is a whole number, not ${seed}`);
  const draw = xoshiro128(seed);
  const next = () => draw() / 2 ** 32;
  const int = (below: number) => {
    assert(
      Number.isInteger(below) && below > 0 && below <= 2 ** 32,
      `int() takes 1 to 2^32, not ${below}`,
    );
    // The bias of multiplying instead of rejecting is below 2^-32 × below.
    return Math.floor(next() * below);
  };
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => pick(items, int),
    shuffle: (items) => shuffle(items, int),
    // 52 bits, so that two of a million forks are unlikely to be the same.
    fork: () => createPrng((draw() >>> 12) * 2 ** 32 + draw()),
  };
}

function pick<T>(items: readonly T[], int: (below: number) => number): T {
  assert(items.length > 0, "pick() takes at least one item");
  return items[int(items.length)] as T;
}

function shuffle<T>(items: readonly T[], int: (below: number) => number): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = int(last + 1);
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

function xoshiro128(seed: number): () => number {
  const fill = splitmix32((seed >>> 0) ^ Math.imul(Math.floor(seed / 2 ** 32), 0x9e3779b9));
  let [a, b, c, d] = [fill(), fill(), fill(), fill()];
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  };
}

function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
