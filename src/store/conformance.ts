// What every store must do, as tests: run for the memory store (memory.test.ts) and for SQLite
// (test/integration/store-sqlite.test.ts). A fake that passes stays honest.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import { type AggregateId, projectAggregate, projectName } from "../core/ids.ts";
import type { Signal, SignalKind } from "../core/signal.ts";
import type { AggregateState } from "../core/step.ts";
import type { AggregateFilter, NewOutboxRow, Store, Transaction } from "../ports/store.ts";

// The store looks at nothing but `kind` and `at`, so that small stand-ins will do.
const state = (value: unknown): AggregateState => ({ kind: "queue", value }) as never;
const event = (at: number, note = ""): Event => ({ kind: "deadline-passed", at, note }) as never;
const effect = (issue: number): Effect => ({ kind: "claim-issue", issue }) as never;

const A: AggregateId = "run:demo/2.1";
const B: AggregateId = "run:demo/10.1";
const C: AggregateId = "queue:other";

const signal = (at: number, kind: SignalKind = "MERGE_READY"): Signal => ({
  kind,
  at,
  project: projectName("demo"),
  identity: "dev-42",
  run: undefined,
  detail: { text: 'quotes " and\nlines and 🪝' },
});

const row = (key: string): NewOutboxRow => ({ key, aggregate: A, lane: "git", effect: effect(1) });

class Undo extends Error {}

export function storeConformance(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps its contract`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    /** Does all of `work` in a transaction that fails at the end. */
    const failing = async (work: (tx: Transaction) => Promise<unknown>): Promise<void> => {
      const attempt = store.transaction(async (tx) => {
        await work(tx);
        throw new Undo();
      });
      await expect(attempt).rejects.toBeInstanceOf(Undo);
    };
    const put = (key: string, value: unknown, collection = "c"): Promise<void> =>
      store.transaction((tx) => tx.records.put(collection, key, value));

    aggregateTests(() => store, failing);
    transactionTests(() => store, failing);
    outboxTests(() => store, failing);
    logTests(() => store, failing);
    recordTests({ store: () => store, failing, put });
    pruneTests(() => store);
  });
}

type Failing = (work: (tx: Transaction) => Promise<unknown>) => Promise<void>;

function aggregateTests(store: () => Store, failing: Failing): void {
  test("an aggregate that was never saved is undefined", async () => {
    expect(await store().load(A)).toBeUndefined();
    expect(await store().transaction((tx) => tx.load(A))).toBeUndefined();
    expect(await store().aggregates()).toEqual([]);
  });

  test("each save raises the version by one, also twice in one transaction", async () => {
    await store().transaction((tx) => tx.save(A, state("first"), undefined));
    expect(await store().load(A)).toEqual({ id: A, version: 1, state: state("first") });
    await store().transaction(async (tx) => {
      await tx.save(A, state("second"), undefined);
      expect(await tx.load(A)).toEqual({ id: A, version: 2, state: state("second") });
      await tx.save(A, state("third"), undefined);
    });
    expect(await store().load(A)).toEqual({ id: A, version: 3, state: state("third") });
  });

  test("a failed transaction leaves state, version and deadline as they were", async () => {
    await store().transaction((tx) => tx.save(A, state("kept"), 5));
    await failing(async (tx) => {
      await tx.save(A, state("lost"), 1);
      await tx.save(B, state("lost"), 2);
    });
    expect(await store().load(A)).toEqual({ id: A, version: 1, state: state("kept") });
    expect(await store().load(B)).toBeUndefined();
    expect(await store().nextWake()).toBe(5);
  });

  test("aggregates are listed in id order, of all projects or of one, of all kinds or of one", async () => {
    const own = projectAggregate(projectName("demo"));
    await store().transaction(async (tx) => {
      for (const id of [B, own, A, C]) await tx.save(id, state(id), undefined);
    });
    const ids = async (filter: AggregateFilter = {}): Promise<string[]> =>
      (await store().aggregates(filter)).map((aggregate) => aggregate.id);
    const demo = projectName("demo");
    expect(await ids()).toEqual([own, C, A, B]);
    expect(await ids({ project: demo })).toEqual([own, A, B]);
    expect(await ids({ project: projectName("nobody") })).toEqual([]);
    expect(await ids({ kind: "project" })).toEqual([own]);
    expect(await ids({ kind: "run", project: demo })).toEqual([A, B]);
    expect(await ids({ kind: "queue" })).toEqual([C]);
    expect(await ids({ kind: "queue", project: demo })).toEqual([]);
  });

  test("what is due is listed soonest first, and the next deadline is the soonest", async () => {
    await store().transaction(async (tx) => {
      await tx.save(A, state(1), 300);
      await tx.save(B, state(1), 100.5);
      await tx.save(C, state(1), undefined);
    });
    expect(await store().nextWake()).toBe(100.5);
    expect(await store().due(100)).toEqual([]);
    expect(await store().due(299)).toEqual([B]);
    expect(await store().due(300)).toEqual([B, A]);
    await store().transaction((tx) => tx.save(B, state(2), undefined));
    expect(await store().nextWake()).toBe(300);
    await store().transaction((tx) => tx.save(A, state(2), undefined));
    expect(await store().nextWake()).toBeUndefined();
  });

  test("a deadline that is no number is a programmer's error", async () => {
    const attempt = store().transaction((tx) => tx.save(A, state(1), Number.NaN));
    await expect(attempt).rejects.toThrow("assertion failed");
  });
}

function transactionTests(store: () => Store, failing: Failing): void {
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

function outboxTests(store: () => Store, failing: Failing): void {
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

function logTests(store: () => Store, failing: Failing): void {
  const append = (to: AggregateId, at: number): Promise<number> =>
    store().transaction((tx) => tx.append(to, event(at)));

  test("events are numbered, and read per aggregate or all", async () => {
    const seqs = [await append(A, 1), await append(B, 2), await append(A, 3)];
    expect(seqs.toSorted((a, b) => a - b)).toEqual(seqs);
    expect(await store().events({ to: A, limit: 9 })).toEqual([
      { seq: seqs[0], to: A, event: event(1) },
      { seq: seqs[2], to: A, event: event(3) },
    ]);
    const all = await store().events({ limit: 9 });
    expect(all.map((found) => found.seq)).toEqual(seqs);
  });

  test("events are paged after a number, and without one the newest are given", async () => {
    const seqs: number[] = [];
    for (let at = 1; at <= 5; at += 1) seqs.push(await append(A, at));
    const ats = async (query: { afterSeq?: number; limit: number }): Promise<number[]> =>
      (await store().events({ to: A, ...query })).map((found) => found.event.at);
    expect(await ats({ limit: 2 })).toEqual([4, 5]);
    expect(await ats({ afterSeq: 0, limit: 2 })).toEqual([1, 2]);
    expect(await ats({ afterSeq: seqs[1]!, limit: 9 })).toEqual([3, 4, 5]);
    expect(await ats({ afterSeq: seqs[4]!, limit: 9 })).toEqual([]);
    expect((await store().events({ afterSeq: seqs[2]!, limit: 1 }))[0]?.event.at).toBe(4);
  });

  test("signals come back as they were, by kind and after a number", async () => {
    await store().transaction(async (tx) => {
      await tx.emit(signal(1));
      await tx.emit(signal(2, "AGENT_CRASHED"));
      await tx.emit(signal(3));
    });
    const all = await store().signals({ limit: 9 });
    const sent = [signal(1), signal(2, "AGENT_CRASHED"), signal(3)];
    expect(all).toEqual(sent.map((each, index) => ({ ...each, seq: all[index]?.seq })));
    const ats = async (query: Parameters<Store["signals"]>[0]): Promise<number[]> =>
      (await store().signals(query)).map((found) => found.at);
    expect(await ats({ kinds: ["AGENT_CRASHED", "HOOK_UPDATED"], limit: 9 })).toEqual([2]);
    expect(await ats({ kinds: [], limit: 9 })).toEqual([]);
    expect(await ats({ limit: 2 })).toEqual([2, 3]);
    expect(await ats({ afterSeq: all[0]!.seq, kinds: ["MERGE_READY"], limit: 9 })).toEqual([3]);
    expect(await ats({ afterSeq: 0, limit: 1 })).toEqual([1]);
  });

  test("an outside event is taken in once", async () => {
    const takeIn = (key: string): Promise<boolean> =>
      store().transaction((tx) => tx.takeIn(key, 1));
    expect(await takeIn("spool/1")).toBe(true);
    expect(await takeIn("spool/1")).toBe(false);
    const twice = store().transaction(async (tx) => [
      await tx.takeIn("spool/2", 1),
      await tx.takeIn("spool/2", 1),
    ]);
    expect(await twice).toEqual([true, false]);
  });

  test("what a failed transaction took in, appended or emitted is gone", async () => {
    await failing(async (tx) => {
      await tx.takeIn("key", 1);
      await tx.append(A, event(1));
      await tx.emit(signal(1));
    });
    expect(await store().transaction((tx) => tx.takeIn("key", 1))).toBe(true);
    expect(await store().events({ limit: 9 })).toEqual([]);
    expect(await store().signals({ limit: 9 })).toEqual([]);
  });
}

function recordTests(on: {
  store: () => Store;
  failing: Failing;
  put: (key: string, value: unknown, collection?: string) => Promise<void>;
}): void {
  const { store, failing, put } = on;
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

function pruneTests(store: () => Store): void {
  test("pruning removes what is older, keeps states, and gives no number twice", async () => {
    await store().transaction(async (tx) => {
      await tx.save(A, state("kept"), 1);
      await tx.enqueue(row("kept"));
      for (const at of [1, 2, 3]) {
        await tx.append(A, event(at));
        await tx.emit(signal(at));
        await tx.takeIn(`key ${at}`, at);
      }
    });
    const last = (await store().events({ limit: 1 }))[0]?.seq ?? 0;
    expect(await store().prune({ before: 3 })).toEqual({ removed: 6 });
    expect((await store().events({ limit: 9 })).map((found) => found.event.at)).toEqual([3]);
    expect((await store().signals({ limit: 9 })).map((found) => found.at)).toEqual([3]);
    expect(await store().prune({ before: 99 })).toEqual({ removed: 3 });
    expect(await store().prune({ before: 99 })).toEqual({ removed: 0 });
    expect((await store().load(A))?.state).toEqual(state("kept"));
    expect(await store().outbox()).toHaveLength(1);
    expect(await store().transaction((tx) => tx.append(A, event(4)))).toBeGreaterThan(last);
    expect(await store().transaction((tx) => tx.takeIn("key 1", 5))).toBe(true);
  });
}
