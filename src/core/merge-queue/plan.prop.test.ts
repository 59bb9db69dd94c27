// How many gate runs the plan costs, against the formulas of estimate.ts and the optima of a
// simulation: in the model world with a full queue, independent failures and equal durations.
import { describe, expect, test } from "vitest";
import {
  add,
  carryOutOne,
  confirms,
  createWorld,
  seeded,
} from "../../../test/support/queue-world.ts";
import { expectedRunsOfBatch, expectedRunsPerEntry } from "./estimate.ts";

type Setting = { rate: number; lanes: number; step: number; decided: number };
/** `rate` is what the seed really drew. Runs include those that were cancelled. */
type Cost = { rate: number; runsPerEntry: number; entriesPerGateTime: number };

const GATE_MS = 1_000_000;

/** Keeps the queue full until so many entries are decided. */
function measure({ rate, lanes, step, decided }: Setting): Cost {
  const prng = seeded(5);
  const bad = new Set<string>();
  const world = createWorld({ lanes, step, rules: { bad: (item) => bad.has(item) } });
  world.folded = new Map();
  // The models know no flakes: the second run of what is about to be blamed is no part of them.
  world.durationOf = (effect) =>
    effect.kind.startsWith("check-") && !confirms(effect) ? GATE_MS : 0;
  let added = 0;
  const settle = (): void => {
    while (world.pending.some((row) => row.due < world.now + GATE_MS / 2)) carryOutOne(world);
  };
  const refill = (): void => {
    settle();
    while (world.queue.entries.length < 2 * lanes * step) {
      added += 1;
      if (prng.chance(rate)) bad.add(`w${added}`);
      add(world, `w${added}`);
    }
    settle();
  };
  const done = (): number => added - world.queue.entries.length;
  refill();
  // The first prefix was started before the queue was full: it does not count.
  carryOutOne(world);
  refill();
  const from = { at: world.now, runs: world.asked, done: done(), bad: blamed() };
  while (done() - from.done < decided) {
    carryOutOne(world);
    refill();
  }
  const entries = done() - from.done;
  return {
    rate: (blamed() - from.bad) / entries,
    runsPerEntry: (world.asked - from.runs) / entries,
    entriesPerGateTime: (entries * GATE_MS) / (world.now - from.at),
  };

  function blamed(): number {
    return world.signals.filter((signal) => signal.startsWith("MERGE_CONFLICT")).length;
  }
}

describe("one lane", () => {
  test.each([
    { rate: 0.01, step: 64 },
    { rate: 0.05, step: 16 },
    { rate: 0.1, step: 8 },
    { rate: 0.2, step: 4 },
    { rate: 0.3, step: 2 },
    { rate: 0.5, step: 1 },
  ])("full batches of $step at a failure rate of $rate cost what the formula says", (setting) => {
    const { step } = setting;
    const cost = measure({ ...setting, lanes: 1, decided: 80 * step + 200 });
    const ratio = cost.runsPerEntry / expectedRunsPerEntry(cost.rate, step);
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
    // Putting what is left of a red batch into the next full one is never worse than finishing it.
    expect(cost.runsPerEntry).toBeLessThan((1.1 * expectedRunsOfBatch(cost.rate, step)) / step);
  });
});

describe("several lanes", () => {
  // Entries decided per gate time in a simulation that waits for whole rounds.
  test.each([
    { rate: 0.05, lanes: 2, step: 8, simulated: 5.31 },
    { rate: 0.05, lanes: 4, step: 6, simulated: 7.31 },
    { rate: 0.1, lanes: 4, step: 4, simulated: 4.48 },
    { rate: 0.2, lanes: 4, step: 1, simulated: 2.95 },
  ])("$lanes lanes at a failure rate of $rate are as quick as the simulated optimum", (setting) => {
    const cost = measure({ ...setting, decided: 3_000 });
    expect(cost.entriesPerGateTime).toBeGreaterThan(0.9 * setting.simulated);
  });
});
