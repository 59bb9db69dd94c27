// Why PAWL_HOME is not within its bound, as it was found last: a record, which `pawl status` reads.
import type { Store, StoreReader } from "../../ports/store.ts";

const COLLECTION = "home";
const KEY = "over";

/** `triedAt`: when all that may go was last removed, and it was not enough. */
export type HomeProblem = { why: string; triedAt?: number | undefined };

type Reader = Pick<StoreReader, "records">;

const read = async (store: Reader): Promise<HomeProblem | undefined> =>
  (await store.records.get<HomeProblem>(COLLECTION, KEY))?.value;

/** Undefined where the bound is kept, or there is none. */
export const homeProblem = async (store: Reader): Promise<string | undefined> =>
  (await read(store))?.why;

export const homeTriedAt = async (store: Reader): Promise<number | undefined> =>
  (await read(store))?.triedAt;

/** True where there was none before. */
export function tellHomeProblem(
  journal: Pick<Store, "transaction">,
  problem: HomeProblem | undefined,
): Promise<boolean> {
  return journal.transaction(async (tx) => {
    const before = await read(tx);
    if (before?.why === problem?.why && before?.triedAt === problem?.triedAt) return false;
    if (problem === undefined) await tx.records.delete(COLLECTION, KEY);
    else await tx.records.put(COLLECTION, KEY, problem);
    return before === undefined;
  });
}
