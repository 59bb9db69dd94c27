import { expect, test } from "vitest";
import type { Stamp } from "./changes.ts";
import { createReviewMemory } from "./review-memory.ts";

function world() {
  let now = 100_000;
  let stamp: Stamp | undefined = { updatedAt: 90_000, seenAt: 100_000 };
  let reads = 0;
  const changes = { openIssues: async () => [], stampOf: () => stamp };
  const memory = createReviewMemory(changes, () => now);
  const look = async (): Promise<number> => {
    await memory.reviews(7, async () => {
      reads += 1;
      return [];
    });
    return reads;
  };
  return {
    memory,
    look,
    pass: (ms: number) => {
      now += ms;
    },
    change: (next: Stamp | undefined) => {
      stamp = next;
    },
  };
}

test("a PR that did not change is read twice, and then no more", async () => {
  const { look, pass } = world();
  expect(await look()).toBe(1);
  pass(30_000);
  expect(await look()).toBe(2);
  pass(30_000);
  expect(await look()).toBe(2);
});

test("a change, or a review of our own, has it read again", async () => {
  const { memory, look, pass, change } = world();
  await look();
  pass(30_000);
  await look();
  change({ updatedAt: 130_000, seenAt: 130_000 });
  expect(await look()).toBe(3);
  pass(30_000);
  await look();
  memory.forget(7);
  expect(await look()).toBe(5);
});

test("without a recent look at the changes the review is read each time", async () => {
  const { look, change } = world();
  change(undefined);
  expect(await look()).toBe(1);
  expect(await look()).toBe(2);
});
