import { expect, test } from "vitest";
import { projectName, runId } from "./ids.ts";
import { sumUsage, totalUsage, type LifeUsage, type UsageRow } from "./usage.ts";

const row = (change: Partial<UsageRow> = {}): UsageRow => ({
  day: "2026-11-15",
  model: "opus",
  sidechain: false,
  input: 10,
  output: 1,
  cacheRead: 100,
  cacheWrite: 0,
  costUsd: 0.5,
  ...change,
});

const life = (epoch: number, rows: UsageRow[]): LifeUsage => ({
  project: projectName("toy"),
  run: runId("42.1"),
  issue: 42,
  role: "dev",
  epoch,
  rows,
});

const LIVES = [life(1, [row(), row({ day: "2026-11-16" })]), life(2, [row({ sidechain: true })])];

test("usage adds up per session, run, issue, role, day, model and project", () => {
  const costs = (by: Parameters<typeof sumUsage>[1]) =>
    sumUsage(LIVES, by).map(({ key, costUsd }) => [key, costUsd]);
  expect(costs("session")).toEqual([
    ["toy/42.1:1", 1],
    ["toy/42.1:2", 0.5],
  ]);
  expect(costs("run")).toEqual([["toy/42.1", 1.5]]);
  expect(costs("issue")).toEqual([["toy#42", 1.5]]);
  expect(costs("role")).toEqual([["dev", 1.5]]);
  expect(costs("model")).toEqual([["opus", 1.5]]);
  expect(costs("project")).toEqual([["toy", 1.5]]);
  expect(costs("day")).toEqual([
    ["2026-11-15", 1],
    ["2026-11-16", 0.5],
  ]);
});

test("what sidechains used is in the sum and told apart", () => {
  expect(totalUsage(LIVES)).toMatchObject({ input: 30, output: 3, sidechainTokens: 111 });
});
