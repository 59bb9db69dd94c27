// A journal that cannot be read: found without opening it as one, and fixed by putting the newest
// intact backup in its place. The damaged file is kept beside it.
import { copyFile, rename } from "node:fs/promises";
import type { DoctorCheckView, DoctorView } from "../../api/doctor.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { acquireLock } from "../../store/lock.ts";
import { checkBackup, checkJournal } from "../../store/sqlite/check.ts";
import { backupsIn } from "../host/backups-in.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { pathsOf, type Paths } from "../host/paths.ts";
import { statOf } from "./files.ts";

const CHECK = { id: "journal", title: "the journal, and the work that is due in it" };

/** The report where the journal cannot even be opened. */
export async function reportBroken(place: FactoryPlace, why: string): Promise<DoctorView> {
  const begin = performance.now();
  const paths = pathsOf(place.home, place.runtime);
  const backup = await newestWhole(paths);
  const checks = [view(why, { backup, fixed: null })];
  return { healthy: false, took_ms: Math.round(performance.now() - begin), checks };
}

/**
 * Repairs a damaged journal; undefined where it is intact. Only while no process has the factory.
 */
export async function restoreBroken(place: FactoryPlace): Promise<DoctorCheckView | undefined> {
  const paths = pathsOf(place.home, place.runtime);
  if ((await statOf(paths.journal)) === undefined) return undefined;
  const said = await checkJournal(paths.journal);
  if (said.length === 0) return undefined;
  const lock = acquireLock(paths.lock, { version: place.version });
  if (lock.kind === "busy") return undefined;
  try {
    const backup = await newestWhole(paths);
    if (backup === undefined) throw noBackup(paths);
    await putBack(paths, backup);
    const left = await checkJournal(paths.journal);
    const why = `${paths.journal} was damaged: ${said.join("; ")}`;
    return view(why, { backup, fixed: left.length === 0 });
  } finally {
    lock.release();
  }
}

async function newestWhole(paths: Paths): Promise<string | undefined> {
  for (const { path } of await backupsIn(paths.backups, Date.now())) {
    if ((await checkBackup(path)).length === 0) return path;
  }
  return undefined;
}

/** The log of the damaged one must go with it: it would be played into the backup. */
async function putBack({ journal }: Paths, backup: string): Promise<void> {
  const aside = `${journal}.damaged-${Date.now()}`;
  await copyFile(backup, `${journal}.partial`);
  for (const suffix of ["-wal", "-shm", ""]) {
    if ((await statOf(journal + suffix)) !== undefined)
      await rename(journal + suffix, aside + suffix);
  }
  await rename(`${journal}.partial`, journal);
}

const noBackup = ({ journal, backups }: Paths): OperationError =>
  new OperationError(`cannot repair ${journal}: ${backups} has no intact backup`, {
    code: "store-corrupt",
    hint: `move ${journal} with its -wal and -shm aside; \`pawl up\` then begins a new journal, and the hubs keep all work`,
  });

function view(
  what: string,
  { backup, fixed }: { backup: string | undefined; fixed: boolean | null },
): DoctorCheckView {
  const fix =
    backup === undefined ? null : `move the damaged journal aside and put ${backup} in its place`;
  const hint = backup === undefined ? "there is no intact backup to restore" : null;
  return { ...CHECK, took_ms: 0, troubles: [{ what, hint, fix, fixed, failed: null }] };
}
