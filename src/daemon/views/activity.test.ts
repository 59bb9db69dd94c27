import { expect, test } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { runAggregate } from "../../core/ids.ts";
import { testRun } from "../../../test/support/run.ts";
import { activityOf, ACTIVITY_MINUTES } from "./activity.ts";

const MINUTE_MS = 60_000;

test("events are counted once, in the minute they happened in, and old ones leave", async () => {
  const store = createMemoryStore();
  const run = testRun();
  const happens = (minute: number): Promise<unknown> =>
    store.transaction((tx) =>
      tx.append(runAggregate(run.project, run.id), {
        kind: "budget-opened",
        at: minute * MINUTE_MS,
      }),
    );
  const seen = async (minute: number): Promise<number[]> => {
    const counts = await activityOf(store, minute * MINUTE_MS)(run);
    expect(counts).toHaveLength(ACTIVITY_MINUTES);
    return counts.slice(-3);
  };
  await happens(99);
  await happens(99);
  await happens(100);
  expect(await seen(100)).toEqual([0, 2, 1]);
  expect(await seen(100)).toEqual([0, 2, 1]);
  await happens(101);
  expect(await seen(101)).toEqual([2, 1, 1]);
  expect(await seen(200)).toEqual([0, 0, 0]);
});
