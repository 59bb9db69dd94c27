// Why PAWL_HOME is not within its bound, as it was found last: a record, which `pawl status` reads.
import type { Store, StoreReader } from "../../ports/store.ts";

const COLLECTION = "home";
const KEY = "over";

/** Undefined where the bound is kept, or there is none. */
export async function homeProblem(
  store: Pick<StoreReader, "records">,
): Promise<string | undefined> {
  return (await store.records.get<{ why: string }>(COLLECTION, KEY))?.value.why;
}

/** True where there was none before. */
export function tellHomeProblem(
  journal: Pick<Store, "transaction">,
  why: string | undefined,
): Promise<boolean> {
  return journal.transaction(async (tx) => {
    const before = await homeProblem(tx);
    if (before === why) return false;
    if (why === undefined) await tx.records.delete(COLLECTION, KEY);
    else await tx.records.put(COLLECTION, KEY, { why });
    return before === undefined;
  });
}
