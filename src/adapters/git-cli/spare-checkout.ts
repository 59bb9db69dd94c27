// A checkout made ahead, while the gate of the one before it runs. No command ever ran in it, so that it
// is as clean as one made from nothing, and the next check writes only the files that differ.
//
// Known to this process alone: what an earlier one left is removed, never used.
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Commit } from "../../core/ids.ts";
import { errorCode } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { removeTree } from "../shared/folder.ts";
import { createSerial } from "../shared/serial.ts";
import { isWrittenAlike } from "./alike.ts";
import type { GitContext } from "./context.ts";
import { usesLfs, usesNoLfs } from "./lfs-needed.ts";

type Spare = { folder: string; index: string; commit: Commit };
type Kept = { made: Promise<Spare | undefined>; expires: NodeJS.Timeout };

/** By its folder; for the whole program, because a changed configuration makes a new Git. */
const spares = new Map<string, Kept>();
/** By its folder too: one whose time has run out is removed before the next is written there. */
const serial = createSerial();

/** An index as long as this names some hundred files; fewer are written as soon as they are asked for. */
const INDEX_MIN_BYTES = 50_000;
/** The files of a repository are not kept twice where nothing is checked. */
const KEPT_MS = 10 * 60_000;
/** What starts the gate comes first: it would wait behind thousands of files that are written or removed. */
export const GATE_FIRST_MS = 50;
/** Git compares whole seconds. */
const INDEX_LATER_MS = 2000;

/** `index`: that of the checkout at the path that it is a spare for. */
const placeOf = (index: string) => ({ folder: `${index}.spare`, index: `${index}.spare-index` });

/** Begins to make one like the checkout whose index this is; it is made when a caller takes it. */
export async function makeSpare(
  context: GitContext,
  { index, commit }: { index: string; commit: Commit },
): Promise<void> {
  if ((await stat(index)).size < INDEX_MIN_BYTES) return;
  // Its files are large, and would be there twice.
  if (await usesLfs(context, commit)) return;
  const place = placeOf(index);
  const spare = { ...place, commit };
  const made = serial(place.folder, async () => {
    await delay(GATE_FIRST_MS);
    await fill(context, spare);
  }).then(
    () => spare,
    () => undefined,
  );
  forget(place.folder);
  const expires = setTimeout(() => void drop(place.folder), KEPT_MS);
  expires.unref();
  spares.set(place.folder, { made, expires });
}

async function fill(context: GitContext, { folder, index, commit }: Spare): Promise<void> {
  await clear({ folder, index });
  await mkdir(folder, { recursive: true });
  await context.git({
    args: ["read-tree", "--reset", "-u", commit],
    dir: context.hub,
    cwd: folder,
    env: { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index },
    // By one worker: the gate that runs meanwhile needs the processors.
    settings: [["checkout.workers", "1"]],
    what: `check out ${commit} ahead`,
  });
  // Git reads files again that are as new as their index, in case a program wrote to them in that second.
  // No program writes here.
  const later = new Date(Date.now() + INDEX_LATER_MS);
  await utimes(index, later, later);
}

async function clear({ folder, index }: { folder: string; index: string }): Promise<void> {
  await removeTree(folder);
  for (const file of [`${index}.lock`, index]) await rm(file, { force: true });
}

/**
 * The spare for this checkout. It is the caller's from the first moment: its time must not run out
 * while a gate begins to use it.
 */
export async function spareFor(index: string): Promise<Spare | undefined> {
  const { folder } = placeOf(index);
  const kept = spares.get(folder);
  forget(folder);
  return kept?.made;
}

/**
 * Whether a spare that git is writing to becomes this commit by what differs. Asked meanwhile, because
 * the answer is almost always yes; after a no, what was written is useless.
 */
export async function isFilledFrom(
  context: GitContext,
  { spare, commit }: { spare: Spare; commit: Commit },
  writing: Promise<unknown>,
): Promise<boolean> {
  const asking = isWrittenAlike(context, spare.commit, commit);
  // The folder is the caller's again only when no git writes to it.
  await Promise.allSettled([writing, asking]);
  if (!(await asking)) return false;
  await writing;
  usesNoLfs(context, commit);
  return true;
}

/** Puts it at `path`, where nothing is; false where that cannot be, and then nothing is there still. */
export async function takeSpare(
  spare: Spare,
  to: { path: string; index: string },
): Promise<boolean> {
  try {
    await rename(spare.index, to.index);
    await rename(spare.folder, to.path);
    return true;
  } catch (error) {
    // Another program removed it, or the caches are on another disk.
    if (errorCode(error) === undefined) throw error;
    await rm(to.index, { force: true });
    await clear(spare);
    return false;
  }
}

function forget(folder: string): void {
  clearTimeout(spares.get(folder)?.expires);
  spares.delete(folder);
}

async function drop(folder: string): Promise<void> {
  const kept = spares.get(folder);
  forget(folder);
  await serial(folder, async () => {
    const spare = await kept?.made;
    // One that cannot be removed now is removed before the next is made.
    if (spare !== undefined) await clear(spare).catch(() => undefined);
  });
}

/**
 * Removes what earlier processes left: it is as large as the repository, and perhaps no check ever comes
 * to its path again. One of this process that a check takes at this moment is not as old.
 */
export async function removeLeftSpares({ privateDir }: GitContext, now: number): Promise<void> {
  const checkouts = join(privateDir, "checkouts");
  for (const name of (await ifThere(readdir(checkouts))) ?? []) {
    const [index, end] = name.split(".spare");
    if (index === undefined || end === undefined) continue;
    const place = placeOf(join(checkouts, index));
    await serial(place.folder, async () => {
      const written = await ifThere(stat(join(checkouts, name)));
      const isOld = written !== undefined && now - written.mtimeMs > 2 * KEPT_MS;
      if (isOld && !spares.has(place.folder)) await clear(place);
    });
  }
}
