// What every store does with aggregates that are over: they leave what is alive, are found by id and
// by name, and are paged through by their end.
import { expect, test } from "vitest";
import type { HistoryEntry } from "../core/history.ts";
import { projectName, type AggregateId } from "../core/ids.ts";
import type { HistoryCursor, HistoryQuery, Store } from "../ports/store.ts";
import { A, B, C, state, type Failing } from "./samples.contract.ts";

const demo = projectName("demo");

const entry = (endedAt: number, changes: Partial<HistoryEntry> = {}): HistoryEntry => ({
  project: demo,
  kind: "run",
  reference: "2",
  title: 'quotes " and 🪝',
  outcome: "landed",
  startedAt: 1,
  endedAt,
  tokens: 1200,
  usd: 0.25,
  lastWords: "two\nlines",
  names: ["dev-2", "2"],
  facts: { role: "dev", askedAt: 0, stages: [{ kind: "working", at: 1 }], lives: [], crashes: 0 },
  ...changes,
});

export function archiveTests(store: () => Store, failing: Failing): void {
  leavingTests(store, failing);
  pageTests(store);

  test("archived aggregates are found by each of their names, the last end first", async () => {
    await store().transaction(async (tx) => {
      await tx.archive(A, state("first"), entry(10, { names: ["dev-2", "pawl/2"] }));
      await tx.archive(B, state("second"), entry(20, { names: ["dev-2"] }));
      await tx.archive(C, state("other"), entry(30, { kind: "queue", names: ["dev-2"] }));
    });
    const found = async (name: string, limit = 10): Promise<AggregateId[]> => {
      const query = { kind: "run", project: demo, name, limit } as const;
      return (await store().named(query)).map(({ id }) => id);
    };
    expect(await found("dev-2")).toEqual([B, A]);
    expect(await found("dev-2", 1)).toEqual([B]);
    expect(await found("pawl/2")).toEqual([A]);
    expect(await found("dev")).toEqual([]);
    await store().transaction((tx) => tx.archive(B, state("third"), entry(5, { names: ["new"] })));
    expect(await found("dev-2")).toEqual([A]);
    expect(await found("new")).toEqual([B]);
    await store().transaction((tx) => tx.save(B, state("alive"), undefined));
    expect(await found("new")).toEqual([]);
  });
}

function leavingTests(store: () => Store, failing: Failing): void {
  test("what is archived is loaded as it was, and is no longer among what is alive", async () => {
    await store().transaction((tx) => tx.save(A, state("alive"), 5));
    await store().transaction(async (tx) => {
      await tx.archive(A, state("over"), entry(10));
      expect(await tx.load(A)).toMatchObject({ version: 2, state: state("over") });
    });
    const archived = { id: A, version: 2, state: state("over"), isArchived: true };
    expect(await store().load(A)).toEqual(archived);
    expect(await store().aggregates()).toEqual([]);
    expect(await store().due(Infinity)).toEqual([]);
    expect(await store().nextWake()).toBeUndefined();
  });

  test("what is saved again is alive again, and its versions go on counting", async () => {
    await store().transaction((tx) => tx.archive(A, state("over"), entry(10)));
    await store().transaction((tx) => tx.archive(A, state("over still"), entry(11)));
    expect((await store().load(A))?.version).toBe(2);
    await store().transaction((tx) => tx.save(A, state("alive"), 7));
    expect(await store().load(A)).toEqual({ id: A, version: 3, state: state("alive") });
    expect(await store().history({ kind: "run", limit: 10 })).toEqual([]);
    expect(await store().due(7)).toEqual([{ id: A, wakeAt: 7, version: 3 }]);
    await store().transaction((tx) => tx.archive(A, state("over"), entry(12)));
    expect((await store().load(A))?.version).toBe(4);
    expect(await store().history({ kind: "run", limit: 10 })).toEqual([{ id: A, ...entry(12) }]);
  });

  test("a failed transaction archives nothing and brings nothing back", async () => {
    await store().transaction(async (tx) => {
      await tx.save(A, state("alive"), 5);
      await tx.archive(B, state("over"), entry(10));
    });
    await failing(async (tx) => {
      await tx.archive(A, state("lost"), entry(11));
      await tx.save(B, state("lost"), undefined);
    });
    expect(await store().load(A)).toEqual({ id: A, version: 1, state: state("alive") });
    expect(await store().load(B)).toMatchObject({ version: 1, isArchived: true });
    expect((await store().history({ kind: "run", limit: 10 })).map(({ id }) => id)).toEqual([B]);
    expect(await store().nextWake()).toBe(5);
  });
}

function pageTests(store: () => Store): void {
  test("the history is read page by page, the last end first, and no row twice", async () => {
    const ids = Array.from({ length: 7 }, (_, n): AggregateId => `run:demo/${n}.1`);
    await store().transaction(async (tx) => {
      // Three of them ended at the same instant.
      for (const [n, id] of ids.entries()) {
        await tx.archive(id, state(n), entry(n < 3 ? 1 : n, { reference: String(n) }));
      }
    });
    const pages: AggregateId[][] = [];
    let after: HistoryCursor | undefined;
    for (;;) {
      const page = await store().history({
        kind: "run",
        limit: 2,
        ...(after === undefined ? {} : { after }),
      });
      if (page.length === 0) break;
      pages.push(page.map(({ id }) => id));
      after = page.at(-1);
    }
    expect(pages).toEqual([
      ["run:demo/6.1", "run:demo/5.1"],
      ["run:demo/4.1", "run:demo/3.1"],
      ["run:demo/2.1", "run:demo/1.1"],
      ["run:demo/0.1"],
    ]);
  });

  test("the history is of one kind, of all projects or of one, of all times or since one", async () => {
    const other = projectName("other");
    const D: AggregateId = "run:other/2.1";
    await store().transaction(async (tx) => {
      await tx.archive(A, state(1), entry(10));
      await tx.archive(B, state(2), entry(20));
      await tx.archive(C, state(3), entry(30, { kind: "queue", project: other }));
      await tx.archive(D, state(4), entry(40, { project: other }));
    });
    const rows = async (query: Partial<HistoryQuery> = {}): Promise<AggregateId[]> =>
      (await store().history({ kind: "run", limit: 10, ...query })).map(({ id }) => id);
    expect(await rows()).toEqual([D, B, A]);
    expect(await rows({ project: demo })).toEqual([B, A]);
    expect(await rows({ project: other, kind: "queue" })).toEqual([C]);
    expect(await rows({ endedFrom: 20 })).toEqual([D, B]);
    expect(await rows({ endedFrom: 41 })).toEqual([]);
    const after = { id: B, endedAt: 20 };
    expect(await rows({ project: demo, endedFrom: 10, after })).toEqual([A]);
  });
}
