import { describe, expect, test } from "vitest";
import { createWorld } from "../../../test/support/queue-world.ts";
import { NOTHING_KNOWN } from "./estimate.ts";
import type { Queue } from "./queue.ts";
import { batchSize, earned, forgiven, spent } from "./savings.ts";

const ALWAYS_GREEN = { landed: 200, blamed: 0 };

const world = createWorld({});
const queueWith = (saved: number | undefined, rate = NOTHING_KNOWN): Queue => ({
  ...world.queue,
  rate,
  ...(saved === undefined ? {} : { saved }),
});

describe("the next batch", () => {
  test.each([
    { saved: undefined, proven: 0, size: 4 },
    { saved: -1, proven: 0, size: 2 },
    { saved: -2, proven: 0, size: 1 },
    { saved: -5, proven: 0, size: 1 },
    { saved: -2, proven: 3, size: 8 },
    { saved: 4, proven: 0, size: 64 },
    { saved: 4, proven: 60, size: 64 },
  ])(
    "has $size entries where $saved runs are saved and $proven have passed",
    ({ saved, proven, size }) => {
      expect(batchSize(queueWith(saved, ALWAYS_GREEN), world.policy, proven)).toBe(size);
    },
  );

  test("has two entries while nothing is known, and doubles with what passes", () => {
    expect(batchSize(queueWith(undefined), world.policy, 0)).toBe(2);
    expect(batchSize(queueWith(-1), world.policy, 2)).toBe(4);
    expect(batchSize(queueWith(-2), world.policy, 6)).toBe(8);
  });

  test("follows the failure rate alone where there are several lanes, or a fixed size", () => {
    const queue = queueWith(-2, ALWAYS_GREEN);
    expect(batchSize(queue, { ...world.policy, lanes: 4 }, 0)).toBe(64);
    expect(batchSize(queue, { ...world.policy, step: 7 }, 0)).toBe(7);
  });
});

describe("savings", () => {
  test("grow by what one by one would take, up to what the largest batch needs", () => {
    expect(earned(queueWith(undefined), 3).saved).toBe(3);
    expect(earned(queueWith(5), 60).saved).toBe(6);
    expect(spent(queueWith(undefined)).saved).toBe(-1);
  });

  test("are kept where debts are forgiven", () => {
    expect(forgiven(queueWith(-2)).saved).toBe(0);
    expect(forgiven(queueWith(3)).saved).toBe(3);
  });
});
