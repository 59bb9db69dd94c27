// What every store does with what only grows: events, signals, and what was taken in; and how it is
// pruned.
import { expect, test } from "vitest";
import { projectName, type AggregateId } from "../core/ids.ts";
import type { SignalQuery, Store } from "../ports/store.ts";
import { A, B, state, event, signal, row, type Failing } from "./samples.contract.ts";

export function logTests(store: () => Store, failing: Failing): void {
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

  test("signals of one project are found behind more of another than the limit", async () => {
    const own = projectName("own");
    await store().transaction(async (tx) => {
      await tx.emit({ ...signal(1), project: own });
      for (let at = 2; at <= 6; at += 1) await tx.emit(signal(at));
      await tx.emit({ ...signal(7), project: own });
    });
    const ats = async (query: Omit<SignalQuery, "projects">): Promise<number[]> =>
      (await store().signals({ ...query, projects: [own] })).map((found) => found.at);
    expect(await ats({ limit: 2 })).toEqual([1, 7]);
    expect(await ats({ afterSeq: 0, limit: 2 })).toEqual([1, 7]);
    expect(await ats({ limit: 1 })).toEqual([7]);
    expect(await store().signals({ projects: [], limit: 9 })).toEqual([]);
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

export function pruneTests(store: () => Store): void {
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
