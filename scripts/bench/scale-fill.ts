// A factory after years for scale.ts: one real run, multiplied; projects with open issues that ask for
// nothing; and sessions that live.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { projectName, runAggregate, runId } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import {
  foldIn,
  LIVES_KEPT_DAYS,
  type DayUsage,
  type LifeUsage,
  type UsageRow,
} from "../../src/core/usage.ts";
import { saveState } from "../../src/daemon/engine/save-state.ts";
import type { Transaction } from "../../src/ports/store.ts";
import { openReadOnly, openSqliteStore } from "../../src/store/sqlite/open.ts";
import { MAIN, type Place } from "./place.ts";

export type Size = { runs: number; projects: number; issues: number; sessions: number };

const RUNS_A_DAY = 100;
const DAY_MS = 86_400_000;
/** In one transaction. */
const AT_ONCE = 2000;
const PROJECT = projectName("bench");

/**
 * Leaves no daemon running. `commands`: asked once. Where the sources run, a daemon that loads a module
 * which is not in the compile cache also loads the compiler, 15 MB, and no published one has it.
 */
export async function fillPlace(place: Place, size: Size, commands: string[][]): Promise<void> {
  await place.daemon();
  await startSessions(place, 1);
  for (const words of commands) {
    spawnSync(process.execPath, [MAIN, ...words], { env: place.env, cwd: place.repo });
  }
  for (let n = 2; n <= size.projects; n += 1) await addTwin(place, `bench${n}`);
  await place.stop();
  const journal = join(place.home, "pawl.db");
  await fillJournal(journal, size);
  // The first look at so many issues journals them all, which happens once in a factory's life.
  await place.daemon();
  await whenSeen(journal, size);
  await place.stop();
}

const SEEN_MAX_MS = 300_000;

async function whenSeen(journal: string, { projects, issues }: Size): Promise<void> {
  const until = Date.now() + SEEN_MAX_MS;
  for (;;) {
    using db = new DatabaseSync(journal, { readOnly: true });
    const row = db.prepare("SELECT count(*) AS seen FROM backlog").get();
    if (Number(row?.["seen"]) >= projects * issues) return;
    if (Date.now() > until) throw new Error("the daemon did not see all issues in time");
    await wait(500);
  }
}

const START_MAX_MS = 300_000;

/** Resolves when so many more ask a person, which is where they stay. */
export async function startSessions(place: Place, count: number): Promise<void> {
  const asking = async (): Promise<number> => {
    const { runs } = await place.api<{ runs: { stage: string }[] }>("GET", "/v1/status");
    return runs.filter(({ stage }) => stage === "escalated").length;
  };
  const before = await asking();
  for (let n = 0; n < count; n += 1) {
    const title = `session ${n}`;
    const key = `${Date.now()} ${n}`;
    await place.api("POST", "/v1/issues", { title, key, body: "x".repeat(1000) });
  }
  const until = Date.now() + START_MAX_MS;
  while ((await asking()) < before + count) {
    if (Date.now() > until) throw new Error(`${count} sessions did not start in time`);
    await wait(100);
  }
}

async function addTwin(place: Place, name: string): Promise<void> {
  const folder = join(place.repo, "..", name);
  cpSync(place.repo, folder, { recursive: true });
  const toml = readFileSync(join(folder, "pawl.toml"), "utf8");
  writeFileSync(join(folder, "pawl.toml"), toml.replace('"bench"', `"${name}"`));
  const words = ["-C", folder, "commit", "-qam", "rename"];
  const done = spawnSync("git", words, { env: place.env, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`git ${words.join(" ")}: ${done.stderr}`);
  await place.api("POST", "/v1/projects", { folder });
}

async function fillJournal(journal: string, size: Size): Promise<void> {
  const reader = await openReadOnly(journal);
  const stored = (await reader?.aggregates({ kind: "run" }))?.[0]?.state;
  await reader?.close();
  if (stored?.kind !== "run") throw new Error("the bench left no run");
  const store = await openSqliteStore(journal);
  const now = Date.now();
  const days = new Map<string, DayUsage[]>();
  for (let from = 0; from < size.runs; from += AT_ONCE) {
    await store.transaction(async (tx) => {
      const until = Math.min(from + AT_ONCE, size.runs);
      for (let n = from; n < until; n += 1) await putRun(tx, { run: stored, n, now, days });
    });
  }
  await store.transaction(async ({ records }) => {
    for (const [key, sums] of days) await records.put("usage-days", key, sums);
  });
  for (let n = 1; n <= size.projects; n += 1) {
    const name = n === 1 ? PROJECT : `${PROJECT}${n}`;
    await store.transaction((tx) => putIssues(tx, { name, count: size.issues, now }));
  }
  await store.close();
}

/** An ended run, and what it used: folded into its day where that is what upkeep does. */
async function putRun(
  tx: Transaction,
  { run, n, now, days }: { run: Run; n: number; now: number; days: Map<string, DayUsage[]> },
): Promise<void> {
  const at = now - (n / RUNS_A_DAY) * DAY_MS - DAY_MS;
  const { copy, usage } = endedCopy(run, n + 1_000_000, at);
  await saveState(tx, runAggregate(copy.project, copy.id), copy);
  if (at > now - LIVES_KEPT_DAYS * DAY_MS) {
    await tx.records.put("usage", `${copy.project}/${copy.id}:1`, usage);
    return;
  }
  const key = `${copy.project}/${usage.rows[0]?.day}`;
  days.set(key, foldIn(days.get(key) ?? [], usage));
}

async function putIssues(
  { records }: Transaction,
  { name, count, now }: { name: string; count: number; now: number },
): Promise<void> {
  for (let number = 2_000_001; number <= 2_000_000 + count; number += 1) {
    const issue = { number, title: `issue ${number}`, body: "", state: "open", labels: [] };
    const filed = { ...issue, author: "bench", createdAt: now, updatedAt: now };
    await records.put(`forge/${name}/issues`, String(number), filed);
    await records.put(`forge/${name}/open-issues`, String(number), true);
  }
  // The tracker counts its writes by this record; without it no daemon would look.
  await records.put(`forge/${name}/counter`, "revision", true);
}

function endedCopy(run: Run, n: number, at: number): { copy: Run; usage: LifeUsage } {
  const name = String(n);
  const { session, work } = run;
  const copy: Run = {
    ...run,
    id: runId(`${n}.1`),
    name,
    identity: `dev-${name}`,
    branch: `pawl/${name}-one`,
    work: work.kind === "issue" ? { ...work, number: n } : work,
    outcome: { kind: "blocked", reason: "bench" },
    session: session === undefined ? undefined : { ...session, status: "ended" },
    stage: { kind: "ended" },
    endedAt: at,
  };
  const tokens = { input: 1000, output: 200, cacheRead: 5000, cacheWrite: 100 };
  const day = new Date(at).toISOString().slice(0, 10);
  const row: UsageRow = { ...tokens, day, model: "bench", sidechain: false, costUsd: 0.1 };
  const about = { project: PROJECT, run: copy.id, issue: n, role: "dev", epoch: 1 };
  return { copy, usage: { ...about, rows: [row] } };
}
