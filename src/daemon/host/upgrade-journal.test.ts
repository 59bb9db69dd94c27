import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import { historyOf } from "../../core/history.ts";
import {
  projectAggregate,
  projectName,
  runAggregate,
  runId,
  type AggregateId,
} from "../../core/ids.ts";
import type { Effect } from "../../core/effect.ts";
import type { AggregateState } from "../../core/step.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { upgradeJournal, upgradeWhenRead } from "./upgrade-journal.ts";

const TOY = projectName("toy");
const ENDED = {
  stage: { kind: "ended" },
  session: undefined,
  outcome: { kind: "blocked", reason: "no" },
} as const;
const DREAM = "dream:toy/1" as AggregateId;

test("a state of an unknown kind is left as it is, has no deadline, and is reported once", async () => {
  const store = createMemoryStore();
  const state = { kind: "dream", project: projectName("toy") } as unknown as AggregateState;
  await store.transaction((tx) => tx.save(DREAM, state, 5));
  expect(await upgradeJournal(store, 10)).toEqual({ upgraded: 0, unknown: 1 });
  expect((await store.load(DREAM))?.state).toEqual(state);
  expect(await store.nextWake()).toBeUndefined();
  const told = await store.outbox();
  expect(told).toMatchObject([
    { aggregate: "project:toy", effect: { kind: "notify", severity: "urgent" } },
  ]);
  await store.transaction((tx) => tx.settle(told[0]?.key ?? ""));
  await upgradeJournal(store, 20);
  expect(await store.outbox()).toEqual([]);
});

test("a vault item in an unknown stage waits for a person before it does anything", async () => {
  const store = createMemoryStore();
  const item = {
    kind: "vault",
    project: projectName("toy"),
    id: "v1",
    expiresMs: 100,
    stage: { kind: "dreaming" },
    waiters: [],
    log: [],
  } as unknown as AggregateState;
  await store.transaction((tx) => tx.save("vault:toy/v1", item, undefined));
  expect(await upgradeJournal(store, 10)).toEqual({ upgraded: 1, unknown: 0 });
  expect((await store.load("vault:toy/v1"))?.state).toMatchObject({
    stage: { kind: "unsure", deadline: 110, why: expect.stringContaining("dreaming") },
  });
  expect(await store.nextWake()).toBe(110);
});

test("a deadline that the older version computed differently is corrected", async () => {
  const store = createMemoryStore();
  const name = projectName("toy");
  const state = {
    kind: "project",
    name,
    tasks: [],
    active: [],
    leaving: [],
    closed: { until: 70 },
  };
  const id = projectAggregate(name);
  await store.transaction((tx) => tx.save(id, state as unknown as AggregateState, 90));
  expect(await upgradeJournal(store, 10)).toEqual({ upgraded: 1, unknown: 0 });
  expect(await store.nextWake()).toBe(70);
  expect(await upgradeJournal(store, 20)).toEqual({ upgraded: 0, unknown: 0 });
});

test("what an older version kept among what is alive although it was over is archived", async () => {
  const store = createMemoryStore();
  const ids = Array.from({ length: 1200 }, (_, n) => runAggregate(TOY, runId(`${n}.1`)));
  await store.transaction(async (tx) => {
    for (const [n, id] of ids.entries()) {
      const over = { ...testRun(), project: TOY, id: runId(`${n}.1`), ...ENDED, endedAt: n };
      await tx.save(id, over, undefined);
    }
    await tx.save(runAggregate(TOY, runId("alive.1")), testRun(), undefined);
  });
  await upgradeJournal(store, 10);
  expect((await store.aggregates({ kind: "run" })).map(({ id }) => id)).toEqual([
    "run:toy/alive.1",
  ]);
  expect(await store.history({ kind: "run", limit: 2000 })).toHaveLength(1200);
  expect((await store.load("run:toy/7.1"))?.state).toMatchObject({ id: "7.1", endedAt: 7 });
  expect(await upgradeJournal(store, 20)).toMatchObject({ unknown: 0 });
  expect((await store.load("run:toy/7.1"))?.version).toBe(2);
});

test("an archived state of an older version is read in this version's shape", async () => {
  const inner = createMemoryStore();
  const { messages: _later, ...older } = { ...testRun(), ...ENDED, endedAt: 5 };
  const id = runAggregate(older.project, older.id);
  const entry = historyOf({ ...testRun(), ...ENDED, endedAt: 5 });
  await inner.transaction((tx) => tx.archive(id, older as AggregateState, entry!));
  const store = upgradeWhenRead(inner, 10);
  expect((await store.load(id))?.state).toMatchObject({ messages: [] });
  const named = { kind: "run", project: older.project, name: older.identity, limit: 1 } as const;
  expect((await store.named(named))[0]?.state).toMatchObject({ messages: [] });
  await store.transaction(async (tx) => {
    expect((await tx.load(id))?.state).toMatchObject({ messages: [] });
  });
});

test("an effect that waits under an older name is carried out under its new one", async () => {
  const store = createMemoryStore();
  const waiting = { key: "k", lane: "l", aggregate: projectAggregate(TOY) };
  const effect = { kind: "mend-leftovers" } as unknown as Effect;
  await store.transaction((tx) => tx.enqueue({ ...waiting, effect }));
  await upgradeJournal(store, 10);
  expect(await store.outbox()).toMatchObject([{ ...waiting, effect: { kind: "fix-leftovers" } }]);
});
