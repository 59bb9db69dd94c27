// What every store does with the numbers of commits, which followers resume by.
import { expect, test } from "vitest";
import type { Store } from "../ports/store.ts";
import { A, B, row, state, type Failing } from "./samples.contract.ts";

export function changeTests(store: () => Store, failing: Failing): void {
  const save = (id: typeof A): Promise<void> =>
    store().transaction((tx) => tx.save(id, state("new"), undefined));
  const after = (afterSeq: number) => store().changes({ afterSeq, limit: 9 });

  test("every commit that changes something has the next number, with what changed", async () => {
    expect(await store().changesKept()).toEqual({ after: 0, last: 0 });
    await save(A);
    await store().transaction(async (tx) => {
      await tx.save(B, state("one"), undefined);
      await tx.save(A, state("two"), undefined);
      await tx.save(B, state("three"), undefined);
    });
    await store().transaction((tx) => tx.records.put("c", "k", "value"));
    expect(await after(0)).toEqual([
      { seq: 1, aggregates: [A] },
      { seq: 2, aggregates: [B, A] },
      { seq: 3, aggregates: [] },
    ]);
    expect(await after(2)).toEqual([{ seq: 3, aggregates: [] }]);
    expect(await store().changes({ afterSeq: 0, limit: 1 })).toHaveLength(1);
    expect(await store().changesKept()).toEqual({ after: 0, last: 3 });
  });

  test("a transaction that changes nothing or fails has no number", async () => {
    await store().transaction((tx) => tx.load(A));
    await store().transaction((tx) => tx.settle("nothing waits"));
    await failing((tx) => tx.save(A, state("lost"), undefined));
    expect(await after(0)).toEqual([]);
    await store().transaction((tx) => tx.enqueue(row("effect")));
    expect(await after(0)).toEqual([{ seq: 1, aggregates: [] }]);
  });

  test("a number is not visible before its transaction is committed", async () => {
    await store().transaction(async (tx) => {
      await tx.save(A, state("open"), undefined);
      expect(await after(0)).toEqual([]);
    });
    expect(await after(0)).toHaveLength(1);
  });
}

/** `open` gives a store that keeps only five changes. */
export function keptChangesTests(open: () => Promise<Store>): void {
  test("old changes are forgotten, and it is known from where a follower can resume", async () => {
    const store = await open();
    for (let n = 0; n < 20; n += 1) {
      await store.transaction((tx) => tx.save(A, state(n), undefined));
    }
    const { after, last } = await store.changesKept();
    expect(last).toBe(20);
    expect(after).toBeGreaterThan(0);
    expect(after).toBeLessThanOrEqual(15);
    const kept = await store.changes({ afterSeq: after, limit: 99 });
    expect(kept.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 20 - after }, (_, index) => after + 1 + index),
    );
    await store.close();
  });
}
