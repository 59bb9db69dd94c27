import { expect, test } from "vitest";
import { projectName, runAggregate, runId } from "../../core/ids.ts";
import type { LifeUsage } from "../../core/usage.ts";
import type { AggregateState } from "../../core/step.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { costsView } from "../views/costs.ts";
import { checksOf, expireRecords } from "./expire-records.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-15T12:00:00Z");
const PROJECT = projectName("p");
const dayBefore = (days: number): string =>
  new Date(NOW - days * DAY_MS).toISOString().slice(0, 10);

function life(run: string, days: number, role = "dev"): LifeUsage {
  const row = { input: 1, output: 10, cacheRead: 100, cacheWrite: 1000, costUsd: 0.5 };
  const rows = [
    { ...row, day: dayBefore(days), model: "m", sidechain: false },
    { ...row, day: dayBefore(days), model: "m", sidechain: true },
  ];
  return {
    project: PROJECT,
    run: runId(run),
    issue: Number(run.split(".")[0]),
    role,
    epoch: 1,
    rows,
  };
}

async function filled() {
  const store = createMemoryStore();
  const lives = [life("1.1", 40), life("2.1", 40), life("3.1", 400, "review"), life("4.1", 5)];
  const alive = life("5.1", 50);
  await store.transaction(async (tx) => {
    for (const one of [...lives, alive]) {
      await tx.records.put("usage", `${one.project}/${one.run}:${one.epoch}`, one);
    }
    const state = {
      kind: "run",
      project: PROJECT,
      id: alive.run,
      config: {},
      stage: {},
    } as unknown as AggregateState;
    await tx.save(runAggregate(PROJECT, alive.run), state, undefined);
  });
  return store;
}

test("old use is folded into sums of its days: totals, roles, days and models stay the same", async () => {
  const store = await filled();
  const costs = (by: "role" | "day" | "model" | "project" | "issue") =>
    costsView(store, { by, project: PROJECT, now: NOW });
  const sorted = async (by: Parameters<typeof costs>[0]) =>
    (await costs(by)).rows.toSorted((a, b) => a.key.localeCompare(b.key));
  const groups = ["role", "day", "model", "project"] as const;
  const before = await Promise.all(groups.map(sorted));
  const { total } = await costs("issue");
  expect(await expireRecords(store, { projects: [PROJECT], now: NOW })).toBe(3);
  expect(await Promise.all(groups.map(sorted))).toEqual(before);
  expect((await costs("issue")).total).toEqual(total);
  const issues = (await costs("issue")).rows.map(({ key }) => key);
  expect(issues.toSorted()).toEqual(["p (over 30 days ago)", "p#4", "p#5"]);
  // Again, and nothing is counted twice.
  expect(await expireRecords(store, { projects: [PROJECT], now: NOW })).toBe(0);
  expect((await costs("issue")).total).toEqual(total);
  expect(await store.records.list("usage-days")).toHaveLength(2);
});

test("results of checks go once they are not believed any more", async () => {
  const store = createMemoryStore();
  const collection = checksOf(PROJECT);
  await store.transaction(async ({ records }) => {
    for (let n = 0; n < 450; n += 1) await records.put(collection, `old${n}`, { at: 0 });
    await records.put(collection, "new", { at: NOW - DAY_MS });
  });
  expect(await expireRecords(store, { projects: [PROJECT], now: NOW })).toBe(450);
  expect((await store.records.list(collection)).map(({ key }) => key)).toEqual(["new"]);
});
