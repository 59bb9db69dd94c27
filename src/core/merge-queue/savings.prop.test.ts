// The bound on gate runs, over random queues: never more than testing one by one, which takes a run
// per entry and a second one before an entry is blamed. And how near to the optimum the queue comes.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  add,
  createWorld,
  drain,
  seeded,
  send,
  type World,
} from "../../../test/support/queue-world.ts";
import { fewestRuns } from "../../../test/support/fewest-runs.ts";
import { DEBT_MAX } from "./savings.ts";

/** Entries that come together, and how many of a hundred are red. */
type Burst = { entries: number; red: number };

type Cost = { runs: number; decided: number; blamed: number };

/** Queues the entries of each burst at once, waits until the queue is empty: the sums after each. */
function measure(bursts: Burst[], seed: number): Cost[] {
  const prng = seeded(seed);
  const bad = new Set<string>();
  const world = createWorld({ rules: { bad: (item) => bad.has(item) } });
  world.folded = new Map();
  let decided = 0;
  return bursts.map(({ entries, red }, index) => {
    send(world, { kind: "queue-paused", at: world.now, by: "op", why: "filling up" });
    for (let count = 0; count < entries; count += 1) {
      const name = `w${index}-${count}`;
      if (prng.chance(red / 100)) bad.add(name);
      add(world, name);
    }
    send(world, { kind: "queue-resumed", at: world.now, by: "op" });
    drain(world);
    decided += entries;
    return { runs: runsOf(world), decided, blamed: bad.size };
  });
}

/** All runs but those of the bare target, which one by one takes as well. */
const runsOf = (world: World): number =>
  world.checks.filter((tree) => tree !== "base").length + world.confirmed.length;

const bursts = fc.array(
  fc.record({
    entries: fc.integer({ min: 1, max: 60 }),
    red: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ max: 100, min: 0 }),
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

test("a queue never needs more gate runs than one by one, but for two each time it was empty", () => {
  fc.assert(
    fc.property(bursts, fc.integer({ min: 0, max: 2 ** 31 }), (some, seed) => {
      for (const [index, { runs, decided, blamed }] of measure(some, seed).entries()) {
        expect(runs).toBeLessThanOrEqual(decided + blamed + (index + 1) * DEBT_MAX);
      }
    }),
    { numRuns: Number(process.env["QUEUE_RUNS"] ?? 50) },
  );
});

/** Mean over many queues, against the fewest runs of any plan that knows the rate. */
function toOptimum(some: Burst[], options: { queues: number; after?: Burst }): number {
  const { queues, after } = options;
  let [runs, fewest] = [0, 0];
  for (let seed = 0; seed < queues; seed += 1) {
    const costs = measure(after === undefined ? some : [after, ...some], seed);
    const last = costs.at(-1);
    const before = after === undefined ? undefined : costs[0];
    runs += (last?.runs ?? 0) - (before?.runs ?? 0);
    fewest += (last?.blamed ?? 0) - (before?.blamed ?? 0);
    for (const { entries, red } of some) fewest += fewestRuns(entries, red / 100);
  }
  return runs / fewest;
}

test.each([
  { entries: 10, red: 20, queues: 300 },
  { entries: 20, red: 20, queues: 150 },
  { entries: 50, red: 20, queues: 60 },
  { entries: 100, red: 20, queues: 40 },
  { entries: 100, red: 5, queues: 200 },
])("$entries branches, $red % red, in a new queue need at most 1.1 times the optimum", (burst) => {
  expect(toOptimum([burst], burst)).toBeLessThan(1.1);
});

test.each([
  { entries: 10, red: 5 },
  { entries: 20, red: 5 },
  { entries: 50, red: 5 },
  { entries: 10, red: 20 },
  { entries: 50, red: 20 },
])("$entries branches, $red % red, need at most 1.1 times the optimum once learned", (burst) => {
  const many = Array.from({ length: 200 / burst.entries }, () => burst);
  const after = { entries: 100, red: burst.red };
  expect(toOptimum(many, { queues: 20, after })).toBeLessThan(1.1);
});
