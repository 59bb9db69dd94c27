// What every store does with records: small documents by collection and key.
import { expect, test } from "vitest";
import type { Store } from "../ports/store.ts";
import type { Failing } from "./samples.contract.ts";

export function recordTests(store: () => Store, failing: Failing): void {
  const put = (key: string, value: unknown, collection = "c"): Promise<void> =>
    store().transaction((tx) => tx.records.put(collection, key, value));
  const values = async (collection = "c"): Promise<unknown[]> =>
    (await store().records.list(collection)).map((found) => found.value);

  test("a record's version counts its writes and starts again after a delete", async () => {
    await put("k", { text: "🪝 'quoted'\u0000" });
    await put("k", ["second"]);
    expect(await store().records.get("c", "k")).toEqual({
      key: "k",
      value: ["second"],
      version: 2,
    });
    await store().transaction((tx) => tx.records.delete("c", "k"));
    expect(await store().records.get("c", "k")).toBeUndefined();
    await put("k", null);
    expect(await store().records.get("c", "k")).toEqual({ key: "k", value: null, version: 1 });
  });

  test("records are listed in key order, numbers as numbers, collections apart", async () => {
    for (const key of ["10", "9", "a2", "a10", "1"]) await put(key, key);
    await put("5", "elsewhere", "other");
    expect(await values()).toEqual(["1", "9", "10", "a2", "a10"]);
    expect(await values("other")).toEqual(["elsewhere"]);
    expect(await values("none")).toEqual([]);
  });

  test("records are paged in the plain order of their keys", async () => {
    for (const key of ["10", "9", "a2", "a10", "1"]) await put(key, key);
    await put("5", "elsewhere", "other");
    const page = async (query: { after?: string; limit: number }): Promise<string[]> =>
      (await store().records.page("c", query)).map(({ key }) => key);
    expect(await page({ limit: 3 })).toEqual(["1", "10", "9"]);
    expect(await page({ after: "9", limit: 3 })).toEqual(["a10", "a2"]);
    expect(await page({ after: "a2", limit: 3 })).toEqual([]);
    const staged = await store().transaction(async (tx) => {
      await tx.records.put("c", "0", "new");
      await tx.records.delete("c", "1");
      return tx.records.page("c", { limit: 2 });
    });
    expect(staged.map(({ key }) => key)).toEqual(["0", "10"]);
  });

  test("records with numbers for keys are paged in the order of those, where that is asked for", async () => {
    for (const key of ["10", "9", "2", "100"]) await put(key, key);
    const page = async (after?: string): Promise<string[]> => {
      const query = {
        limit: 2,
        byNumber: true,
        ...(after === undefined ? {} : { after }),
      } as const;
      return (await store().records.page("c", query)).map(({ key }) => key);
    };
    expect(await page()).toEqual(["2", "9"]);
    expect(await page("9")).toEqual(["10", "100"]);
    expect(await page("100")).toEqual([]);
    for (const key of ["100", "9"]) await put(key, true, "named");
    const named = { limit: 5, byNumber: true, keysIn: "named" } as const;
    const found = await store().records.page("c", named);
    expect(found.map(({ value }) => value)).toEqual(["9", "100"]);
  });

  test("a transaction lists its own writes", async () => {
    await put("1", "old");
    await put("3", "gone");
    const seen = await store().transaction(async (tx) => {
      await tx.records.put("c", "2", "new");
      await tx.records.delete("c", "3");
      expect(await tx.records.get("c", "3")).toBeUndefined();
      return tx.records.list("c");
    });
    expect(seen.map((found) => found.value)).toEqual(["old", "new"]);
  });

  test("a failed transaction leaves every record as it was", async () => {
    await put("kept", 1);
    await failing(async (tx) => {
      await tx.records.put("c", "kept", 2);
      await tx.records.put("c", "new", 2);
      await tx.records.delete("c", "kept");
    });
    expect(await values()).toEqual([1]);
    await put("kept", 3);
    expect((await store().records.get("c", "kept"))?.version).toBe(2);
  });
}
