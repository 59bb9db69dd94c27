// A consistent copy of a journal that is being written. The copy has a reading connection of its
// own and takes all pages in one step on a thread: the daemon goes on writing, and the copy is the
// state of one instant. VACUUM INTO would block the daemon for as long as it takes, and copying in
// several steps would start again at every commit.
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { backup } from "node:sqlite";
import { createPrivate, openReader } from "./connection.ts";
import { attempt, storeError } from "./failure.ts";

const ALL_PAGES = 2 ** 31 - 1;

/** Replaces `target` at once or not at all; a file of that name stays until the copy is complete. */
export async function backupJournal(source: string, target: string): Promise<void> {
  const partial = `${target}.partial`;
  const place = { what: `copy to ${target} the`, path: source };
  const reader = attempt(place, () => openReader(source));
  try {
    removePartial(partial);
    createPrivate(partial);
    await backup(reader, partial, { rate: ALL_PAGES });
    syncPath(partial);
    renameSync(partial, target);
    syncPath(dirname(target));
  } catch (error) {
    removePartial(partial);
    throw storeError(error, place);
  } finally {
    reader.close();
  }
}

function removePartial(partial: string): void {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(partial + suffix, { force: true });
}

function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
