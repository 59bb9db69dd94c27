// A journal for page.ts: one real run, multiplied into living ones, half of which ask a person, and
// into those that landed.
import { join } from "node:path";
import { runAggregate, runId, type Commit } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import { saveState } from "../../src/daemon/engine/save-state.ts";
import { openReadOnly, openSqliteStore } from "../../src/store/sqlite/open.ts";
import type { Place } from "./place.ts";
import { startSessions } from "./scale-fill.ts";

const AT_ONCE = 2000;
const MINUTE_MS = 60_000;

/** Leaves no daemon running. */
export async function fillForPage(
  place: Place,
  { living, landed }: { living: number; landed: number },
): Promise<void> {
  await place.daemon();
  await place.api("POST", "/v1/projects", { folder: place.repo });
  await startSessions(place, 1);
  await place.stop();
  const journal = join(place.home, "pawl.db");
  const reader = await openReadOnly(journal);
  const stored = (await reader?.aggregates({ kind: "run" }))?.[0]?.state;
  await reader?.close();
  if (stored?.kind !== "run") throw new Error("the bench left no run");
  const store = await openSqliteStore(journal);
  const copies = [
    ...Array.from({ length: living }, (_, n) => livingCopy(stored, n)),
    ...Array.from({ length: landed }, (_, n) => landedCopy(stored, n)),
  ];
  for (let from = 0; from < copies.length; from += AT_ONCE) {
    await store.transaction(async (tx) => {
      for (const copy of copies.slice(from, from + AT_ONCE)) {
        await saveState(tx, runAggregate(copy.project, copy.id), copy);
      }
    });
  }
  await store.close();
}

const named = (run: Run, n: number): Run => ({
  ...run,
  id: runId(`${n}.1`),
  name: String(n),
  identity: `dev-${n}`,
  branch: `pawl/${n}-bench`,
  work: run.work.kind === "issue" ? { ...run.work, number: n } : run.work,
  session: undefined,
});

/** Held: the daemon starts no agent for it. */
function livingCopy(run: Run, n: number): Run {
  const copy = named(run, 1_000_000 + n);
  if (n % 2 === 0) return copy;
  return { ...copy, stage: { kind: "working" }, held: { by: "bench", at: Date.now() } };
}

function landedCopy(run: Run, n: number): Run {
  const outcome = { kind: "landed", commit: "0".repeat(40) as Commit } as const;
  const endedAt = Date.now() - n * MINUTE_MS;
  return { ...named(run, 2_000_000 + n), stage: { kind: "ended" }, outcome, endedAt };
}
