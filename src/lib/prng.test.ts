import { expect, test } from "vitest";
import { createPrng } from "./prng.ts";

function draws(seed: number, count: number): number[] {
  const prng = createPrng(seed);
  return Array.from({ length: count }, () => prng.int(1000));
}

test("a seed gives these numbers, on every machine and in every version", () => {
  expect(draws(42, 8)).toMatchInlineSnapshot(`
    [
      153,
      850,
      18,
      211,
      534,
      881,
      727,
      440,
    ]
  `);
});

test("different seeds give different numbers", () => {
  const starts = new Set(Array.from({ length: 1000 }, (_, seed) => createPrng(seed).next()));
  expect(starts.size).toBe(1000);
});

test("seeds that differ only above 32 bits give different numbers", () => {
  expect(draws(7, 4)).not.toEqual(draws(7 + 2 ** 32, 4));
});

test("numbers are spread evenly over their range", () => {
  const prng = createPrng(1);
  const counts = Array.from({ length: 10 }, () => 0);
  for (let draw = 0; draw < 100_000; draw++) counts[prng.int(10)]! += 1;
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});

test("a chance of 0 never happens and a chance of 1 always does", () => {
  const prng = createPrng(3);
  for (let draw = 0; draw < 1000; draw++) {
    expect(prng.chance(0)).toBe(false);
    expect(prng.chance(1)).toBe(true);
  }
});

test("a chance of a quarter happens a quarter of the time", () => {
  const prng = createPrng(4);
  const hits = Array.from({ length: 40_000 }, () => prng.chance(0.25)).filter(Boolean).length;
  expect(Math.abs(hits - 10_000)).toBeLessThan(400);
});

test("every item is picked sooner or later", () => {
  const prng = createPrng(5);
  const picked = new Set(Array.from({ length: 100 }, () => prng.pick(["a", "b", "c"])));
  expect([...picked].sort()).toEqual(["a", "b", "c"]);
});

test("shuffling keeps every item and leaves the original alone", () => {
  const items = Array.from({ length: 50 }, (_, index) => index);
  const shuffled = createPrng(6).shuffle(items);
  expect(shuffled).not.toEqual(items);
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
  expect(items[0]).toBe(0);
});

test("what a fork draws does not disturb its parent", () => {
  const [quiet, busy] = [createPrng(7), createPrng(7)];
  quiet.fork();
  const fork = busy.fork();
  for (let draw = 0; draw < 100; draw++) fork.next();
  expect(busy.next()).toBe(quiet.next());
});

test("two forks differ from each other and from their parent", () => {
  const parent = createPrng(8);
  const [first, second] = [parent.fork(), parent.fork()];
  expect(new Set([first.next(), second.next(), parent.next()]).size).toBe(3);
});

test("a seed that is no whole number, an empty pick and an empty range are refused", () => {
  expect(() => createPrng(0.5)).toThrow("a seed is a whole number, not 0.5");
  expect(() => createPrng(1).pick([])).toThrow("at least one item");
  expect(() => createPrng(1).int(0)).toThrow("int() takes 1 to 2^32, not 0");
});
