// Checkouts made ahead, while the gate of the one before them runs. No command ever ran in them, so that
// they are as clean as one made from nothing, and the next check writes only the files that differ: none
// where it was known what may be checked next. Two wait then, for a gate that passes and one that fails.
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
import { isUntouched } from "./untouched.ts";

export type Spare = { folder: string; index: string; commit: Commit };
/** `wanted`: a check waits for them, so that nothing more is made ready. */
type Kept = { made: Promise<Spare[]>; expires: NodeJS.Timeout; wanted: AbortController };

/** By the index of their checkout; for the whole program, because a changed configuration makes a new Git. */
const spares = new Map<string, Kept>();
/** By it too: those whose time has run out are removed before the next are written there. */
const serial = createSerial();

/** An index as long as this names some hundred files; fewer are written as soon as they are asked for. */
const INDEX_MIN_BYTES = 50_000;
/** Some thousand files: more are not kept twice. */
const INDEX_TWICE_BYTES = 600_000;
/** The files of a repository are not kept where nothing is checked. */
const KEPT_MS = 10 * 60_000;
/** What starts the gate comes first: it would wait behind thousands of files that are written or removed. */
export const GATE_FIRST_MS = 50;
/** Git compares whole seconds. */
const INDEX_LATER_MS = 2000;
/** Older than every file, and not zero, which means unknown to git. */
const OLD = new Date(1000);

type Place = Omit<Spare, "commit">;

/** `index`: that of the checkout at the path that they are spares for. */
const placesOf = (index: string): Place[] =>
  ["spare", "spare2"].map((name) => ({
    folder: `${index}.${name}`,
    index: `${index}.${name}-index`,
  }));

const freePlace = (index: string, taken: readonly Spare[]): Place | undefined =>
  placesOf(index).find(({ folder }) => !taken.some((spare) => spare.folder === folder));

export type Ahead = {
  /** Of the checkout that is in use now, at this commit. */
  index: string;
  commit: Commit;
  /** What was not taken for it. */
  left: Spare[];
  /** What may be checked next; asked when a spare is there. */
  next?: (() => Promise<Commit[]>) | undefined;
};

/** Begins to make the spares for the next checkout; they are made when a caller takes them. */
export async function makeSpares(context: GitContext, ahead: Ahead): Promise<void> {
  const { index, commit } = ahead;
  const { size } = await stat(index);
  // Large files would be there twice.
  if (size < INDEX_MIN_BYTES || (await usesLfs(context, commit))) return removeSpares(ahead.left);
  const wanted = new AbortController();
  const made = serial(index, async () => {
    await delay(GATE_FIRST_MS);
    const found = [...ahead.left];
    await add(context, found, { index, commit });
    if (size <= INDEX_TWICE_BYTES)
      await spread(context, found, { ...ahead, wanted: wanted.signal });
    return found;
  });
  forget(index);
  const expires = setTimeout(() => void drop(index), KEPT_MS);
  expires.unref();
  spares.set(index, { made: made.catch(() => []), expires, wanted });
}

export async function removeSpares(some: Spare[]): Promise<void> {
  for (const spare of some) await clear(spare);
}

/** One that cannot be made is not missed. */
async function add(
  context: GitContext,
  found: Spare[],
  { index, commit }: { index: string; commit: Commit },
): Promise<void> {
  const place = freePlace(index, found);
  if (place === undefined) return;
  const spare = { ...place, commit };
  try {
    await clear(spare);
    await mkdir(spare.folder, { recursive: true });
    await write(context, spare, commit);
    found.push(spare);
  } catch {
    await clear(spare);
  }
}

/** One spare for each commit that may be next, as far as there are enough. */
async function spread(
  context: GitContext,
  found: Spare[],
  { index, next, wanted }: Ahead & { wanted: AbortSignal },
): Promise<void> {
  const commits = [...new Set((await next?.().catch(() => [])) ?? [])];
  const others = found.filter(({ commit }) => !commits.includes(commit));
  const missing = commits.filter((commit) => !found.some((spare) => spare.commit === commit));
  for (const commit of missing) {
    if (wanted.aborted) return;
    const spare = others.pop();
    if (spare === undefined) await add(context, found, { index, commit });
    else await moveTo(context, found, { spare, commit });
  }
}

async function moveTo(
  context: GitContext,
  found: Spare[],
  { spare, commit }: { spare: Spare; commit: Commit },
): Promise<void> {
  try {
    if (!(await isWrittenAlike(context, spare.commit, commit))) return;
    await write(context, spare, commit);
    usesNoLfs(context, commit);
    spare.commit = commit;
  } catch {
    found.splice(found.indexOf(spare), 1);
    await clear(spare);
  }
}

async function write(context: GitContext, { folder, index }: Spare, commit: Commit): Promise<void> {
  await context.git({
    args: ["read-tree", "--reset", "-u", commit],
    dir: context.hub,
    cwd: folder,
    env: { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index },
    settings: [
      // By one worker: the gate that runs meanwhile needs the processors.
      ["checkout.workers", "1"],
      // It is read by untouched.ts, too.
      ["index.version", "2"],
    ],
    what: `check out ${commit} ahead`,
  });
  // Git reads files again that are as new as their index, in case a program wrote to them in that second.
  // No program writes here.
  const later = new Date(Date.now() + INDEX_LATER_MS);
  await utimes(index, later, later);
}

async function clear({ folder, index }: Place): Promise<void> {
  await removeTree(folder);
  for (const file of [`${index}.lock`, index]) await rm(file, { force: true });
}

/**
 * The spares for this checkout. They are the caller's from the first moment: their time must not run out
 * while a gate begins to use one.
 */
export async function sparesFor(index: string): Promise<Spare[]> {
  const kept = spares.get(index);
  forget(index);
  kept?.wanted.abort();
  return (await kept?.made) ?? [];
}

/**
 * All its files are those of this commit, and as git wrote them. Where another program changed one, git
 * looks into all: by time and length alone it would miss a change in the second of the writing.
 */
export async function isReady(spare: Spare, commit: Commit): Promise<boolean> {
  if (spare.commit !== commit) return false;
  const { folder, index } = spare;
  const untouched = await isUntouched(folder, { index, idBytes: commit.length / 2 });
  if (untouched === false) await utimes(index, OLD, OLD);
  return untouched === true;
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

function forget(index: string): void {
  clearTimeout(spares.get(index)?.expires);
  spares.delete(index);
}

async function drop(index: string): Promise<void> {
  const kept = spares.get(index);
  forget(index);
  await serial(index, async () => {
    // One that cannot be removed now is removed before the next is made.
    await removeSpares((await kept?.made) ?? []).catch(() => undefined);
  });
}

const SPARE_NAME = /^(?<index>.+)\.spare2?(?:-index(?:\.lock)?)?$/;

/**
 * Removes what earlier processes left: it is as large as the repository, and perhaps no check ever comes
 * to its path again. One of this process that a check takes at this moment is not as old.
 */
export async function removeLeftSpares({ privateDir }: GitContext, now: number): Promise<void> {
  const checkouts = join(privateDir, "checkouts");
  for (const name of (await ifThere(readdir(checkouts))) ?? []) {
    const found = SPARE_NAME.exec(name)?.groups?.["index"];
    if (found === undefined) continue;
    const index = join(checkouts, found);
    await serial(index, async () => {
      const written = await ifThere(stat(join(checkouts, name)));
      const isOld = written !== undefined && now - written.mtimeMs > 2 * KEPT_MS;
      if (isOld && !spares.has(index)) for (const place of placesOf(index)) await clear(place);
    });
  }
}
