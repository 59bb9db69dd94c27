// Keeps the journal small: removes what is old, a few rows at a time so that no transaction waits
// long for it, and gives the freed pages back to the disk.
import type { DatabaseSync } from "node:sqlite";
import type { Serial } from "../serial.ts";
import { attempt } from "./failure.ts";

const ROWS_PER_TURN = 2_000;
const PAGES_PER_TURN = 1_000;

const REMOVALS = [
  "DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE at < ? LIMIT ?)",
  "DELETE FROM signals WHERE seq IN (SELECT seq FROM signals WHERE at < ? LIMIT ?)",
  "DELETE FROM taken_in WHERE key IN (SELECT key FROM taken_in WHERE at < ? LIMIT ?)",
];

type Journal = { db: DatabaseSync; path: string; serial: Serial };

export async function pruneJournal(journal: Journal, before: number): Promise<{ removed: number }> {
  const place = { what: "prune", path: journal.path };
  const turn = (act: () => number): Promise<number> =>
    journal.serial.run(async () => attempt(place, act));

  let removed = 0;
  for (const sql of REMOVALS) {
    // A statement alone is a transaction of its own.
    const removal = attempt(place, () => journal.db.prepare(sql));
    removed += await untilLess(ROWS_PER_TURN, () =>
      turn(() => Number(removal.run(before, ROWS_PER_TURN).changes)),
    );
  }
  await untilLess(PAGES_PER_TURN, () => turn(() => givePagesBack(journal.db)));
  return { removed };
}

/** Repeats until a turn did less than a full one; the sum of all turns. */
async function untilLess(full: number, turn: () => Promise<number>): Promise<number> {
  let sum = 0;
  let done = full;
  while (done >= full) {
    done = await turn();
    sum += done;
  }
  return sum;
}

function givePagesBack(db: DatabaseSync): number {
  const before = freePages(db);
  db.exec(`PRAGMA incremental_vacuum(${PAGES_PER_TURN})`);
  // The file itself shrinks when the log is folded into it. PASSIVE never waits for a reader.
  db.exec("PRAGMA wal_checkpoint(PASSIVE)");
  return before - freePages(db);
}

function freePages(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA freelist_count").get()?.["freelist_count"]);
}
