// What every store does with aggregates: versions, lists and deadlines.
import { expect, test } from "vitest";
import { projectAggregate, projectName } from "../core/ids.ts";
import type { AggregateState } from "../core/step.ts";
import type { AggregateFilter, Store } from "../ports/store.ts";
import { A, B, C, state, type Failing } from "./samples.contract.ts";

export function aggregateTests(store: () => Store, failing: Failing): void {
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

  test("a project has its backlog in its order, whole or, where that is asked for, empty", async () => {
    const id = projectAggregate(projectName("demo"));
    const issue = (number: number, labels: string[] = []) => {
      return { number, title: `'${number}', 🪝`, labels, createdAt: number, unmet: [] };
    };
    const project = (backlog: object[], note = "") =>
      ({ kind: "project", name: "demo", note, backlog }) as unknown as AggregateState;
    const save = (state: AggregateState) =>
      store().transaction((tx) => tx.save(id, state, undefined));
    const whole = async () => (await store().load(id))?.state;
    await save(project([issue(2, ["priority"]), issue(1), issue(3)]));
    expect(await whole()).toEqual(project([issue(2, ["priority"]), issue(1), issue(3)]));
    // Changed, gone, new and as before, in one save of what was loaded.
    await store().transaction(async (tx) => {
      const state = (await tx.load(id))?.state;
      const known = state?.kind === "project" ? state.backlog : [];
      const next = [...known.filter(({ number }) => number === 2), issue(3, ["x"]), issue(10)];
      await tx.save(id, project(next, "loaded"), undefined);
      const loaded = (await tx.load(id))?.state;
      expect(loaded).toEqual(
        project([issue(2, ["priority"]), issue(3, ["x"]), issue(10)], "loaded"),
      );
    });
    await failing(async (tx) => {
      await tx.load(id);
      await tx.save(id, project([issue(4)]), undefined);
    });
    const kept = [issue(2, ["priority"]), issue(3, ["x"]), issue(10)];
    expect(await whole()).toEqual(project(kept, "loaded"));
    await save(project(kept, "again"));
    expect(await store().aggregates({ kind: "project" })).toEqual([
      { id, version: 3, state: project(kept, "again") },
    ]);
    expect(await store().aggregates({ kind: "project", isBrief: true })).toEqual([
      { id, version: 3, state: project([], "again") },
    ]);
    expect((await store().page({ limit: 1 }))[0]?.state).toEqual(project([], "again"));
    const brief = async () => {
      const [stored] = await store().aggregates({ kind: "project", isBrief: true });
      return [stored?.version, stored?.state];
    };
    await failing((tx) => tx.save(id, project(kept, "lost"), undefined));
    expect(await brief()).toEqual([3, project([], "again")]);
    await save(project(kept, "third"));
    expect(await brief()).toEqual([4, project([], "third")]);
    expect(await whole()).toEqual(project(kept, "third"));
    await save(project([]));
    expect(await whole()).toEqual(project([]));
  });

  test("of a backlog, the issues with one label are read by themselves, in their order", async () => {
    const id = projectAggregate(projectName("demo"));
    const issue = (number: number, labels: string[], title = "") => {
      return { number, title, labels, createdAt: -number, unmet: [] };
    };
    const backlog = [
      issue(3, ["in-progress", "priority"]),
      issue(2, ["bug", "in-progress"]),
      issue(1, ["in-progress"]),
      issue(4, ["not-in-progress"]),
      issue(5, [], '"in-progress"'),
    ];
    const demo = { kind: "project", name: "demo", backlog } as unknown as AggregateState;
    const other = state("other");
    await store().transaction(async (tx) => {
      await tx.save(id, demo, undefined);
      await tx.save(A, other, undefined);
    });
    const labelled = (label: string) => store().aggregates({ labelled: label });
    const some = { ...demo, backlog: backlog.slice(0, 3) };
    expect(await labelled("in-progress")).toEqual([
      { id, version: 1, state: some },
      { id: A, version: 1, state: other },
    ]);
    expect(await labelled("other")).toMatchObject([{ state: { backlog: [] } }, { id: A }]);
    expect((await store().load(id))?.state).toEqual(demo);
  });

  test("all that are alive are read page by page, and none twice", async () => {
    await store().transaction(async (tx) => {
      for (const id of [B, A, C]) await tx.save(id, state(id), undefined);
    });
    const first = await store().page({ limit: 2 });
    expect(first.map(({ id }) => id)).toEqual([C, B]);
    expect(await store().page({ after: B, limit: 2 })).toEqual([
      { id: A, version: 1, state: state(A) },
    ]);
    expect(await store().page({ after: A, limit: 2 })).toEqual([]);
  });

  test("what is due is listed soonest first, and the next deadline is the soonest", async () => {
    await store().transaction(async (tx) => {
      await tx.save(A, state(1), 300);
      await tx.save(B, state(1), 100.5);
      await tx.save(C, state(1), undefined);
    });
    expect(await store().nextWake()).toBe(100.5);
    expect(await store().due(100)).toEqual([]);
    expect(await store().due(299)).toEqual([{ id: B, wakeAt: 100.5, version: 1 }]);
    expect(await store().due(300)).toEqual([
      { id: B, wakeAt: 100.5, version: 1 },
      { id: A, wakeAt: 300, version: 1 },
    ]);
    expect(await store().due(Infinity)).toHaveLength(2);
    expect(await store().nextWake(100.5)).toBe(300);
    expect(await store().nextWake(300)).toBeUndefined();
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
