// What every store does with transactions: one after the other, whole or not at all.
import { expect, test } from "vitest";
import type { Store, Transaction } from "../ports/store.ts";
import { A, B, state, event, signal, row, type Failing } from "./samples.contract.ts";

export function transactionTests(store: () => Store, failing: Failing): void {
  test("a transaction returns what its work returns", async () => {
    expect(await store().transaction(async () => "result")).toBe("result");
  });

  test("transactions asked for at once run one after the other, in order", async () => {
    const trace: string[] = [];
    const work = (name: string) => async (tx: Transaction) => {
      trace.push(`${name} begins`);
      const found = await tx.records.get<number>("counter", "n");
      await new Promise(setImmediate);
      await tx.records.put("counter", "n", (found?.value ?? 0) + 1);
      trace.push(`${name} ends`);
    };
    const names = ["a", "b", "c", "d"];
    await Promise.all(names.map((name) => store().transaction(work(name))));
    expect(trace).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect((await store().records.get("counter", "n"))?.value).toBe(4);
  });

  test("a failed transaction does not stop the ones behind it", async () => {
    const first = failing((tx) => tx.save(A, state("lost"), 1));
    const second = store().transaction((tx) => tx.save(B, state("kept"), undefined));
    await Promise.all([first, second]);
    expect(await store().load(A)).toBeUndefined();
    expect((await store().load(B))?.state).toEqual(state("kept"));
  });

  test("reads outside neither see an open transaction nor wait for it", async () => {
    await store().transaction((tx) => tx.save(A, state("committed"), 7));
    await store().transaction(async (tx) => {
      await tx.save(A, state("open"), 1);
      await tx.append(A, event(1));
      await tx.enqueue(row("open"));
      await tx.emit(signal(1));
      await tx.records.put("c", "k", "open");
      await new Promise(setImmediate);
      expect((await store().load(A))?.state).toEqual(state("committed"));
      expect((await store().aggregates()).map((found) => found.version)).toEqual([1]);
      expect(await store().nextWake()).toBe(7);
      expect(await store().due(6)).toEqual([]);
      expect(await store().outbox()).toEqual([]);
      expect(await store().events({ limit: 9 })).toEqual([]);
      expect(await store().signals({ limit: 9 })).toEqual([]);
      expect(await store().records.get("c", "k")).toBeUndefined();
      expect(await store().records.list("c")).toEqual([]);
    });
    expect((await store().load(A))?.state).toEqual(state("open"));
    expect(await store().outbox()).toHaveLength(1);
  });

  test("a transaction inside another is found out instead of waiting for itself", async () => {
    const inner = (): Promise<unknown> => store().transaction(async () => "never");
    const outer = store().transaction(async (tx) => {
      await tx.save(A, state("lost"), undefined);
      await new Promise(setImmediate);
      await inner();
    });
    await expect(outer).rejects.toThrow("inside another");
    expect(await store().load(A)).toBeUndefined();
    expect(await store().transaction(async () => "still works")).toBe("still works");
  });

  test("work that goes on after its transaction may start another", async () => {
    const begun: Promise<unknown>[] = [];
    await store().transaction(async () => {
      const later = new Promise(setImmediate).then(() => store().transaction(async () => "later"));
      begun.push(later);
    });
    expect(await Promise.all(begun)).toEqual(["later"]);
  });

  test("a transaction used after its end writes nothing", async () => {
    const kept: Transaction[] = [];
    await store().transaction(async (tx) => {
      kept.push(tx);
    });
    for (const tx of kept) {
      await expect(tx.save(A, state("late"), undefined)).rejects.toThrow("after its end");
      await expect(tx.records.put("c", "k", 1)).rejects.toThrow("after its end");
    }
    expect(await store().load(A)).toBeUndefined();
  });

  test("closing waits for what was asked for, and refuses what comes later", async () => {
    const last = store().transaction(async (tx) => {
      await new Promise(setImmediate);
      await tx.save(A, state("last"), undefined);
      return "done";
    });
    await store().close();
    expect(await last).toBe("done");
    await expect(store().transaction(async () => 1)).rejects.toMatchObject({
      code: "store-closed",
    });
    await store().close();
  });
}
