// What every store does with effects that wait to be carried out.
import { expect, test } from "vitest";
import type { Store } from "../ports/store.ts";
import { effect, row, type Failing } from "./samples.contract.ts";

export function outboxTests(store: () => Store, failing: Failing): void {
  const keys = async (): Promise<string[]> => (await store().outbox()).map((found) => found.key);

  test("effects wait in the order they were written, until they are settled", async () => {
    await store().transaction(async (tx) => {
      for (const key of ["z", "y", "x"]) await tx.enqueue(row(key));
    });
    const [first] = await store().outbox();
    expect(first).toEqual({ ...row("z"), seq: first?.seq, attempts: 0, notBefore: 0 });
    expect(await store().transaction((tx) => tx.settle("y"))).toBe(true);
    expect(await keys()).toEqual(["z", "x"]);
  });

  test("settling what does not wait changes nothing and says so", async () => {
    await store().transaction((tx) => tx.enqueue(row("a")));
    const settled = await store().transaction(async (tx) => [
      await tx.settle("unknown"),
      await tx.settle("a"),
      await tx.settle("a"),
    ]);
    expect(settled).toEqual([false, true, false]);
  });

  test("a key that waits already is the same obligation", async () => {
    await store().transaction((tx) => tx.enqueue(row("k")));
    await store().transaction(async (tx) => {
      await tx.enqueue({ ...row("k"), effect: effect(2) });
      await tx.enqueue({ ...row("k"), effect: effect(3) });
    });
    expect((await store().outbox()).map((found) => found.effect)).toEqual([effect(1)]);
  });

  test("a key written again after it was settled goes to the end", async () => {
    await store().transaction(async (tx) => {
      await tx.enqueue(row("a"));
      await tx.enqueue(row("b"));
    });
    const before = (await store().outbox()).at(-1)?.seq ?? 0;
    await store().transaction(async (tx) => {
      await tx.settle("a");
      await tx.enqueue(row("a"));
    });
    expect(await keys()).toEqual(["b", "a"]);
    expect((await store().outbox()).at(-1)?.seq).toBeGreaterThan(before);
  });

  test("a postponed effect keeps its place", async () => {
    await store().transaction(async (tx) => {
      await tx.enqueue(row("a"));
      await tx.enqueue(row("b"));
      await tx.postpone("a", { attempts: 2, notBefore: 99 });
      await tx.postpone("unknown", { attempts: 1, notBefore: 1 });
    });
    expect(await keys()).toEqual(["a", "b"]);
    expect((await store().outbox())[0]).toMatchObject({ attempts: 2, notBefore: 99 });
  });

  test("a failed transaction neither adds, removes nor postpones an effect", async () => {
    await store().transaction((tx) => tx.enqueue(row("kept")));
    const before = await store().outbox();
    await failing(async (tx) => {
      await tx.enqueue(row("lost"));
      await tx.postpone("kept", { attempts: 5, notBefore: 5 });
      await tx.settle("kept");
    });
    expect(await store().outbox()).toEqual(before);
  });
}
