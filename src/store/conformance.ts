// What every store must do, as tests: run for the memory store (memory.test.ts) and for SQLite
// (test/integration/store-sqlite.test.ts). A fake that passes stays honest.
import { afterEach, beforeEach, describe, expect } from "vitest";
import type { Store } from "../ports/store.ts";
import { aggregateTests } from "./aggregates.contract.ts";
import { archiveTests } from "./archive.contract.ts";
import { changeTests } from "./changes.contract.ts";
import { logTests, pruneTests } from "./log.contract.ts";
import { outboxTests } from "./outbox.contract.ts";
import { recordTests } from "./records.contract.ts";
import type { Failing } from "./samples.contract.ts";
import { transactionTests } from "./transactions.contract.ts";

class Undo extends Error {}

export function storeConformance(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps its contract`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const failing: Failing = async (work) => {
      const attempt = store.transaction(async (tx) => {
        await work(tx);
        throw new Undo();
      });
      await expect(attempt).rejects.toBeInstanceOf(Undo);
    };

    aggregateTests(() => store, failing);
    archiveTests(() => store, failing);
    transactionTests(() => store, failing);
    outboxTests(() => store, failing);
    logTests(() => store, failing);
    recordTests(() => store, failing);
    changeTests(() => store, failing);
    pruneTests(() => store);
  });
}
