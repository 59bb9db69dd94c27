// The property of checkpoints on a few hundred random trees; `npm run trees` tries thousands.
import { expect, test } from "vitest";
import { createPrng } from "../../src/lib/prng.ts";
import { checkpointRounds } from "../support/checkpoint-rounds.ts";

/** A guard, not a claim: a loaded machine takes a minute for each. */
const GUARD_MS = 600_000;

test.each([1, 2, 3])(
  "random trees of seed %i are restored byte for byte or listed, and nothing outside changes",
  async (seed) => {
    const { trees, wrong } = await checkpointRounds(createPrng(seed), { trees: 120, perRound: 20 });
    expect(wrong).toEqual([]);
    expect(trees).toBeGreaterThanOrEqual(120);
  },
  GUARD_MS,
);
