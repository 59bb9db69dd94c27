import { expect, test } from "vitest";
import { keptChangesTests } from "./changes.contract.ts";
import { storeConformance } from "./conformance.ts";
import { createMemoryStore } from "./memory.ts";

storeConformance("the memory store", async () => createMemoryStore());
keptChangesTests(async () => createMemoryStore(5));

test("the memory store has no file to copy, and says so", async () => {
  const copy = createMemoryStore().backup("/nowhere");
  await expect(copy).rejects.toMatchObject({ code: "unsupported" });
});
