import { expect, test } from "vitest";
import { projectName, runAggregate, runId } from "../../core/ids.ts";
import { historyOf } from "../../core/history.ts";
import type { StageMark } from "../../core/run/stage.ts";
import { commitId } from "../../core/ids.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { testRun } from "../../../test/support/run.ts";
import { statsView } from "./stats.ts";

const DAY_MS = 86_400_000;
const NOW = 20 * DAY_MS + 5000;

const marks = (...stages: [StageMark["kind"], number][]): StageMark[] =>
  stages.map(([kind, at]) => ({ kind, at }));

test("rows of the history and runs at work are counted together, by project and role", async () => {
  const store = createMemoryStore();
  const project = projectName("toy");
  const landed = testRun({
    stage: { kind: "ended" },
    session: undefined,
    outcome: { kind: "landed", commit: commitId("c".repeat(40)) },
    askedAt: NOW - 4000,
    requestedAt: NOW - 3000,
    endedAt: NOW,
    stages: marks(["claiming", NOW - 3000], ["checking", NOW - 2000], ["landed", NOW - 1000]),
  });
  const entry = historyOf(landed);
  if (entry === undefined) throw new Error("a run that is over has a row");
  const working = testRun({ id: runId("2.1"), requestedAt: NOW, stages: marks(["working", NOW]) });
  await store.transaction(async (tx) => {
    await tx.archive(runAggregate(project, landed.id), landed, entry);
    await tx.save(runAggregate(project, working.id), working, undefined);
  });
  const query = { days: 2, project: undefined, role: undefined, now: NOW };
  const all = await statsView(store, query);
  expect(all.days.map(({ day, landed: count }) => [day, count])).toEqual([
    ["1970-01-20", 0],
    ["1970-01-21", 1],
  ]);
  expect(all.total).toMatchObject({
    lead_seconds: 3,
    waiting_seconds: 2,
    ci_seconds: 1,
    ci_runs: 1,
    ci_runs_per_landing: 1,
  });
  expect(Math.max(...all.load.map(({ sessions }) => sessions))).toBe(1);
  const other = await statsView(store, { ...query, role: "review" });
  expect(other.total.landed).toBe(0);
  expect(other.roles).toEqual(["dev"]);
  const elsewhere = await statsView(store, { ...query, project: projectName("other") });
  expect(elsewhere.total.landed).toBe(0);
});
