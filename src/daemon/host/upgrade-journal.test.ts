import { expect, test } from "vitest";
import { projectAggregate, projectName, type AggregateId } from "../../core/ids.ts";
import type { AggregateState } from "../../core/step.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { upgradeJournal } from "./upgrade-journal.ts";

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
