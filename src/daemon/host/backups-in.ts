// The backups of the journal, newest first by the times in their names, which a copy keeps. One whose
// name lies beyond now was made while the clock was ahead: nothing tells how old it is, so it comes last.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";

export type Backup = { path: string; madeAt: number };

export async function backupsIn(folder: string, now: number): Promise<Backup[]> {
  const names = (await ifThere(readdir(folder))) ?? [];
  const found = await Promise.all(names.map((name) => backupAt(folder, name)));
  return found
    .flatMap((backup) => backup ?? [])
    .toSorted(newestFirst(now))
    .map(({ path, madeAt }) => ({ path, madeAt }));
}

type Named = Backup & { stamp: number };

const newestFirst =
  (now: number) =>
  (a: Named, b: Named): number =>
    Number(a.stamp > now) - Number(b.stamp > now) || b.stamp - a.stamp;

async function backupAt(folder: string, name: string): Promise<Named | undefined> {
  const stamp = /^pawl-(\d+)\.db$/.exec(name)?.[1];
  if (stamp === undefined) return undefined;
  const path = join(folder, name);
  const stats = await ifThere(lstat(path));
  if (stats === undefined) return undefined;
  return { path, madeAt: stats.mtimeMs, stamp: Number(stamp) };
}
