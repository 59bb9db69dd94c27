import { expect, test } from "vitest";
import { projectName, runId } from "../../core/ids.ts";
import type { DayUsage, LifeUsage, UsageRow } from "../../core/usage.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { costsView } from "./costs.ts";

/** More than are read at once. */
const LIVES = 250;
const TOY = projectName("toy");
const DAY = "2026-11-15";

const row = (costUsd: number): UsageRow => ({
  input: 1,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
  day: DAY,
  model: "m",
  sidechain: false,
  costUsd,
});

async function filled() {
  const store = createMemoryStore();
  await store.transaction(async ({ records }) => {
    for (let issue = 1; issue <= LIVES; issue += 1) {
      const run = runId(`${issue}.1`);
      const cost = issue === LIVES ? 5 : 1;
      const about = { project: TOY, run, issue, role: "dev", epoch: 1 };
      const life: LifeUsage = { ...about, rows: [row(cost)] };
      await records.put("usage", `toy/${run}:1`, life);
    }
    const other: LifeUsage = {
      project: projectName("other"),
      run: runId("1.1"),
      issue: 1,
      role: "dev",
      epoch: 1,
      rows: [row(3)],
    };
    await records.put("usage", "other/1.1:1", other);
    const day: DayUsage[] = [{ project: TOY, role: "dev", rows: [row(2)] }];
    await records.put("usage-days", `toy/${DAY}`, day);
  });
  return store;
}

test("all that was used is in the sums, however many pages it takes to read", async () => {
  const store = await filled();
  const query = { project: TOY, now: 0 };
  const { rows, total, others } = await costsView(store, { ...query, by: "issue" });
  expect(total).toMatchObject({ input_tokens: LIVES + 1, cost_usd: LIVES - 1 + 5 + 2 });
  expect(others).toBe(0);
  expect(rows.map(({ key }) => key)).toEqual([
    "toy (over 30 days ago)",
    ...Array.from({ length: LIVES }, (_, index) => `toy#${index + 1}`),
  ]);
  // A group of lives and days, in several pages.
  expect((await costsView(store, { ...query, by: "role" })).rows).toEqual([
    { ...total, key: "dev" },
  ]);
  const everywhere = await costsView(store, { by: "project", project: undefined, now: 0 });
  expect(everywhere.rows.map(({ key, cost_usd: usd }) => [key, usd])).toEqual([
    ["other", 3],
    ["toy", total.cost_usd],
  ]);
});

test("of more than are asked for, those that cost most are listed, equal ones by their number", async () => {
  const { rows, others } = await costsView(await filled(), {
    by: "issue",
    project: TOY,
    now: 0,
    limit: 4,
  });
  expect(rows.map(({ key }) => key)).toEqual([
    `toy#${LIVES}`,
    "toy (over 30 days ago)",
    "toy#1",
    "toy#2",
  ]);
  expect(others).toBe(LIVES + 1 - 4);
});
