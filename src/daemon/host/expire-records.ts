// Removes records of the journal that nothing reads any more: results of checks are believed for a day,
// and use of long ago is kept as sums of its days.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProjectName } from "../../core/ids.ts";
import type { Store } from "../../ports/store.ts";
import { foldUsage } from "../sessions/usage.ts";

/** Longer than a result is believed (adapters/ci-builtin/memory.ts). */
const CHECKS_KEPT_MS = 2 * 24 * 60 * 60_000;
/** In one transaction: others wait for it. */
const REMOVED_AT_ONCE = 200;

/** Where the results of a project's checks are kept. */
export const checksOf = (project: ProjectName): string => `checks/${project}`;

export async function expireRecords(
  store: Store,
  { projects, now }: { projects: readonly ProjectName[]; now: number },
): Promise<number> {
  let removed = await foldUsage(store, now);
  for (const project of projects) removed += await expireChecks(store, { project, now });
  return removed;
}

async function expireChecks(
  store: Store,
  { project, now }: { project: ProjectName; now: number },
): Promise<number> {
  const collection = checksOf(project);
  let removed = 0;
  let after = "";
  for (;;) {
    const query = { after, limit: REMOVED_AT_ONCE };
    const page = await store.records.page<{ at: number }>(collection, query);
    const last = page.at(-1);
    if (last === undefined) return removed;
    after = last.key;
    const old = page.filter(({ value }) => value.at < now - CHECKS_KEPT_MS);
    if (old.length > 0) {
      await store.transaction(async ({ records }) => {
        for (const { key } of old) await records.delete(collection, key);
      });
    }
    removed += old.length;
    // Everything else of this process has its turn.
    await nextTurn();
  }
}
