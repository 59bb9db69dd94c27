// Counts the deaths of daemons by effect. An effect that two daemons in a row died of is not started a
// third time: it would keep every project of the factory from being served.
import { POISON } from "../../core/quarantine.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { OutboxRow, Store } from "../../ports/store.ts";
import type { Death, DeathNotes } from "./death-notes.ts";

const DEATHS = "deaths";
const DEATHS_MAX = 2;

type Deaths = { count: number; last: string; message: string };

const SUSPECTS = "suspects";

/** What was under way when a daemon was aborted; only one of them may be to blame. */
type Suspects = { last: string; keys: string[] };

export type Blamed = {
  poison: Map<string, OperationError>;
  /** To be carried out one at a time, so that the next death tells which of them it was. */
  suspects: Set<string>;
};

/** Takes the note of the last death in, once, and says which of these effects are poison. */
export async function findPoison(
  store: Store,
  notes: DeathNotes,
  rows: readonly OutboxRow[],
): Promise<Blamed> {
  const waiting = new Set(rows.map(({ key }) => key));
  const suspects = await findSuspects(store, notes, waiting);
  const death = notes.last() ?? suspects.death;
  const known = await store.records.list<Deaths>(DEATHS);
  if (death === undefined && known.length === 0) {
    return { poison: new Map(), suspects: suspects.keys };
  }
  await store.transaction(async ({ records }) => {
    for (const { key } of known) if (!waiting.has(key)) await records.delete(DEATHS, key);
    if (death === undefined || !waiting.has(death.key)) return;
    const { id: last, key, message } = death;
    const before = (await records.get<Deaths>(DEATHS, key))?.value;
    if (before?.last === last) return;
    await records.put<Deaths>(DEATHS, key, { count: (before?.count ?? 0) + 1, last, message });
  });
  notes.forget();
  const counted = await store.records.list<Deaths>(DEATHS);
  const found = counted.filter(({ value }) => value.count >= DEATHS_MAX);
  return {
    poison: new Map(found.map(({ key, value }) => [key, poison(rows, key, value)])),
    suspects: suspects.keys,
  };
}

/** Those that were suspected before and were under way again; one alone is to blame. */
async function findSuspects(
  store: Store,
  notes: DeathNotes,
  waiting: ReadonlySet<string>,
): Promise<{ keys: Set<string>; death?: Death }> {
  const before = (await store.records.get<Suspects>(SUSPECTS, SUSPECTS))?.value;
  const aborted = notes.aborted?.();
  const known = (before?.keys ?? []).filter((key) => waiting.has(key));
  if (aborted === undefined) return { keys: new Set(known) };
  const under = aborted.keys.filter((key) => waiting.has(key));
  const again = before?.last === aborted.id ? known : under.filter((key) => known.includes(key));
  const keys = again.length > 0 ? again : under;
  await store.transaction(({ records }) =>
    records.put<Suspects>(SUSPECTS, SUSPECTS, { last: aborted.id, keys }),
  );
  const [only] = keys;
  if (only === undefined || keys.length > 1) return { keys: new Set(keys) };
  return { keys: new Set(keys), death: { id: aborted.id, key: only, message: ABORTED } };
}

const ABORTED = "its process was aborted, as it is when the memory of the daemon runs out";

function poison(rows: readonly OutboxRow[], key: string, { count, message }: Deaths) {
  const kind = rows.find((row) => row.key === key)?.effect.kind ?? key;
  return new OperationError(
    `the daemon died ${count} times while it carried out ${kind}: ${message}`,
    { code: POISON, hint: "Pawl does not try it again by itself; see daemon.log in PAWL_HOME" },
  );
}

/** It may be tried again: a person said so, or the aggregate that wanted it asked again. */
export const forgetDeaths = (store: Store, key: string): Promise<void> =>
  store.transaction(({ records }) => records.delete(DEATHS, key));
