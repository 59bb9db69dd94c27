// Counts the deaths of daemons by effect. An effect that two daemons in a row died of is not started a
// third time: it would keep every project of the factory from being served.
import { POISON } from "../../core/put-aside.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { OutboxRow, Store } from "../../ports/store.ts";
import type { DeathNotes } from "./death-notes.ts";

const DEATHS = "deaths";
const DEATHS_MAX = 2;

type Deaths = { count: number; last: string; message: string };

/** Takes the note of the last death in, once, and says which of these effects are poison. */
export async function findPoison(
  store: Store,
  notes: DeathNotes,
  rows: readonly OutboxRow[],
): Promise<Map<string, OperationError>> {
  const death = notes.last();
  const waiting = new Set(rows.map(({ key }) => key));
  const known = await store.records.list<Deaths>(DEATHS);
  if (death === undefined && known.length === 0) return new Map();
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
  return new Map(
    counted.flatMap(({ key, value }) =>
      value.count < DEATHS_MAX ? [] : [[key, poison(rows, key, value)] as const],
    ),
  );
}

function poison(rows: readonly OutboxRow[], key: string, { count, message }: Deaths) {
  const kind = rows.find((row) => row.key === key)?.effect.kind ?? key;
  return new OperationError(
    `the daemon died ${count} times while it carried out ${kind}: ${message}`,
    { code: POISON, hint: "it is not tried again by itself; look into daemon.log in PAWL_HOME" },
  );
}

/** It may be tried again: a person said so, or whoever wanted it asked for it anew. */
export const forgetDeaths = (store: Store, key: string): Promise<void> =>
  store.transaction(({ records }) => records.delete(DEATHS, key));
