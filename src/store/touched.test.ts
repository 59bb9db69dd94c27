import { expect, test } from "vitest";
import type { AggregateId } from "../core/ids.ts";
import { createMemoryStore } from "./memory.ts";
import { state } from "./samples.contract.ts";

test("a commit that changes many aggregates lists none of them", async () => {
  const store = createMemoryStore();
  await store.transaction(async (tx) => {
    for (let n = 1; n <= 17; n += 1) {
      await tx.save(`run:demo/${n}.1` as AggregateId, state(n), undefined);
    }
  });
  expect(await store.changes({ afterSeq: 0, limit: 9 })).toEqual([{ seq: 1, aggregates: null }]);
});
