// The journal after 30 busy days: its size, and whether a commit is as fast as on the first day.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectName, runAggregate, runId } from "../../src/core/ids.ts";
import type { AggregateState } from "../../src/core/step.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import type { Store } from "../../src/ports/store.ts";
import { ms, print, quantiles } from "./place.ts";

const DAYS = 30;
const EVENTS_PER_DAY = 20_000;
const PER_TRANSACTION = 200;
const RUNS_PER_DAY = 100;
const DAY_MS = 24 * 60 * 60_000;
const KEEP_MS = 7 * DAY_MS;

export async function benchJournal(): Promise<void> {
  const folder = mkdtempSync("/tmp/pawl-bench-journal-");
  const path = join(folder, "pawl.db");
  const store = await openSqliteStore(path);
  try {
    await fillDay(store, 0);
    const first = await commitLatency(store);
    for (let day = 1; day < DAYS; day += 1) {
      await fillDay(store, day);
      await store.prune({ before: day * DAY_MS - KEEP_MS });
    }
    const last = await commitLatency(store);
    const mb = statSync(path).size / 1e6;
    print(
      `journal after ${DAYS} busy days (${EVENTS_PER_DAY} events each)`,
      `${mb.toFixed(0)} MB`,
      "< 200 MB",
    );
    print("a commit on the first day / after 30", `p50 ${ms(first)} / ${ms(last)}`, "as fast");
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const project = projectName("bench");
const state = { kind: "run", filler: "x".repeat(6000) } as unknown as AggregateState;

async function fillDay(store: Store, day: number): Promise<void> {
  for (let n = 0; n < EVENTS_PER_DAY; n += PER_TRANSACTION) {
    await store.transaction(async (tx) => {
      for (let i = 0; i < PER_TRANSACTION; i += 1) {
        const id = runAggregate(
          project,
          runId(`${day * RUNS_PER_DAY + ((n + i) % RUNS_PER_DAY)}.1`),
        );
        const at = day * DAY_MS + n + i;
        await tx.append(id, {
          kind: "spool-received",
          at,
          epoch: 1,
          name: `${n}`,
          text: "y".repeat(300),
        });
        if (i % 20 === 0) await tx.save(id, state, undefined);
        await tx.takeIn(`${id}:${at}`, at);
      }
    });
  }
}

async function commitLatency(store: Store): Promise<number> {
  const samples: number[] = [];
  const id = runAggregate(project, runId("1.1"));
  for (let n = 0; n < 300; n += 1) {
    const start = performance.now();
    await store.transaction(async (tx) => {
      await tx.load(id);
      await tx.append(id, { kind: "deadline-passed", at: n });
      await tx.save(id, state, n);
    });
    samples.push(performance.now() - start);
  }
  return quantiles(samples).p50;
}
