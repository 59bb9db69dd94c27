// Moves a checkout of the user's forward, wholly or not at all. With move-files.ts this is the only
// place of Pawl that writes in the user's folders.
//
//   begin   index.lock is taken, so that no git of the user's works on half of it; the new files and
//           the new index are written to .git/pawl-landing (a full disk is found here)
//   apply   the old files are moved aside and the new ones into their places
//   (the caller moves the ref)
//   finish  the new index takes the place of the old one, and index.lock goes
//   undo    instead of finish: everything is put back, and the old index was never changed
//
// A crash leaves .git/pawl-landing, from which `recoverMoves` finishes or undoes.
import { randomUUID } from "node:crypto";
import {
  copyFile,
  link,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import { hasCode } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { GitContext } from "./context.ts";
import { exists, replaceFile } from "./hub.ts";
import type { Changed, FileStep } from "./move-files.ts";
import { NO_LINKS, bringIn, keepEdited, lookBefore, planFiles, putBack } from "./move-files.ts";
import { removeTree } from "../shared/folder.ts";
import type { Move, Place, Refusal } from "./user-checkout.ts";
import { gitDirsOf, refresh, stagedDeletions, whyNot } from "./user-checkout.ts";

export type Moving = Place & { area: string; move: Move; steps: FileStep[] };

/** What is being moved, in the form of `plan.json`. */
type Plan = { folder: string; from: string; to: string; steps: FileStep[] };

const areaOf = (gitDir: string): string => join(gitDir, "pawl-landing");
const lockOf = (gitDir: string): string => join(gitDir, "index.lock");
/** A copy of the user's index, by which one that they changed after a crash is known. */
const indexBefore = (area: string): string => join(area, "index.before");

/** `raw`: what the landing changes, from `changedBetween`. */
export type Begin = { folder: string; gitDir: string; move: Move; raw: Buffer };

/** Nothing of the checkout has changed where this refuses or throws. */
export async function beginMove(context: GitContext, begin: Begin): Promise<Moving | Refusal> {
  const { folder, gitDir, move } = begin;
  const area = areaOf(gitDir);
  const place: Place = { folder, gitDir, index: join(area, "index") };
  // What an earlier landing left there is still to be finished when the user's git is done.
  if (await exists(lockOf(gitDir))) throw indexLocked(folder);
  await removeTree(area);
  await mkdir(join(area, "new"), { recursive: true });
  await takeLock(folder, gitDir);
  try {
    await copyIndex(gitDir);
    const changed = await lookBefore(folder, begin.raw);
    const added = changed.filter(({ isAdded }) => isAdded).map(({ path }) => path);
    const looks = [
      whyNot(context, place, { move, added }),
      changed.some(({ isDeleted }) => isDeleted)
        ? stagedDeletions(context, place, move)
        : Promise.resolve(new Set<string>()),
    ] as const;
    // None may still use the area when it is removed.
    await Promise.allSettled(looks);
    const [refusal, untracked] = await Promise.all(looks);
    if (refusal !== undefined) {
      await release(gitDir);
      return refusal;
    }
    const steps = await stage(context, place, { ...move, changed, untracked });
    const moving = { ...place, area, move, steps };
    const plan: Plan = { folder, ...move, steps };
    await replaceFile(join(area, "plan.json"), JSON.stringify(plan));
    return moving;
  } catch (error) {
    await release(gitDir);
    throw error;
  }
}

/** Twice: one to work on, and one that stays. */
async function copyIndex(gitDir: string): Promise<void> {
  const [area, index] = [areaOf(gitDir), join(gitDir, "index")];
  if (!(await exists(index))) return;
  for (const copy of [join(area, "index"), indexBefore(area)]) {
    await copyFile(index, copy);
    await makeAsOld(copy, index);
  }
}

/**
 * Git looks into a file that is as new as the index, because it may have been edited in that second
 * with the same length. In a copy that is younger it would take such an edit for no edit.
 */
async function makeAsOld(index: string, original: string): Promise<void> {
  const stats = await ifThere(stat(original));
  if (stats === undefined) return;
  const second = Math.floor(stats.mtimeMs / 1000);
  await utimes(index, second, second);
}

/** Most checkouts have their git folder in them; of the others git knows where it is. */
export async function gitDirOf(
  context: GitContext,
  { folder, dir }: { folder: string; dir: string },
): Promise<string> {
  if (join(folder, ".git") === dir) return dir;
  const args = ["rev-parse", "--absolute-git-dir"];
  return (await context.git({ args, cwd: folder, reach: "user" })).stdout;
}

/** The lock says whose it is, so that one left by a crash is known as ours. */
async function takeLock(folder: string, gitDir: string): Promise<void> {
  const token = join(areaOf(gitDir), "lock");
  await writeFile(token, `pawl ${randomUUID()}\n`, { flush: true });
  try {
    await linkOrCopy(token, lockOf(gitDir));
  } catch (error) {
    await removeTree(areaOf(gitDir));
    if (!hasCode(error, ["EEXIST"])) throw error;
    throw indexLocked(folder);
  }
}

/** A link is there whole at once; where there are none, the lock is taken as git takes it. */
async function linkOrCopy(token: string, lock: string): Promise<void> {
  try {
    await link(token, lock);
  } catch (error) {
    if (!hasCode(error, NO_LINKS)) throw error;
    await writeFile(lock, await readFile(token), { flag: "wx", flush: true });
  }
}

const indexLocked = (folder: string): OperationError =>
  new OperationError(`cannot move the checkout at ${folder} forward: another git is using it`, {
    code: "index-locked",
    hint: "if no git is running there, remove the index.lock in its .git folder",
    retryable: true,
  });

async function isOurs(gitDir: string): Promise<boolean> {
  const read = (path: string): Promise<string | undefined> => ifThere(readFile(path, "latin1"));
  const [token, held] = [await read(join(areaOf(gitDir), "lock")), await read(lockOf(gitDir))];
  return token !== undefined && token === held;
}

async function release(gitDir: string): Promise<void> {
  if (await isOurs(gitDir)) await rm(lockOf(gitDir), { force: true });
  await removeTree(areaOf(gitDir));
}

/** What the landing changes, as `diff-tree --raw -z` lists it. */
export async function changedBetween(context: GitContext, move: Move): Promise<Buffer> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", move.from, move.to];
  return (await context.inHub(args)).bytes;
}

/** Git writes what the landing changes into an empty folder, as it would into the checkout. */
async function stage(
  context: GitContext,
  place: Place,
  move: Move & { changed: Changed[]; untracked: Set<string> },
): Promise<FileStep[]> {
  const area = areaOf(place.gitDir);
  const work = join(area, "new");
  const staged = context.git({
    args: ["read-tree", "-m", "-u", "-v", move.from, move.to],
    dir: place.gitDir,
    cwd: work,
    reach: "user",
    env: { GIT_WORK_TREE: work, GIT_INDEX_FILE: place.index },
    what: `move the checkout at ${place.folder} forward`,
  });
  await orFullDisk(area, staged);
  await makeAsOld(place.index, indexBefore(area));
  return planFiles({ area, changed: move.changed, untracked: move.untracked });
}

/** Git does not say why it could not write a file. */
async function orFullDisk(area: string, staged: Promise<unknown>): Promise<void> {
  try {
    await staged;
  } catch (error) {
    const { bavail, bsize } = await statfs(area);
    if (!(error instanceof OperationError) || bavail * bsize > FULL_BELOW_BYTES) throw error;
    throw fullDisk(error);
  }
}

const FULL_BELOW_BYTES = 100_000;

/** Nothing was changed, and the landing goes through when there is room: no branch is at fault. */
export const fullDisk = (error: Error): OperationError =>
  new OperationError(`the disk of your repository is full: ${error.message}`, {
    code: "disk-full",
    hint: "free some space; Pawl tries the landing again, and has not changed your checkout",
    retryable: true,
    cause: error,
  });

export const applyMove = (context: GitContext, moving: Moving): Promise<void> =>
  bringIn(moving, context.crash);

/** The files have other times than when they were written; a failure costs only the next look. */
export async function refreshMoved(context: GitContext, moving: Moving): Promise<void> {
  try {
    await refresh(context, moving);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}

/** Answers where edits were put that the user saved to files already moved aside. */
export async function finishMove(moving: Moving): Promise<string[]> {
  await rename(moving.index, join(moving.gitDir, "index"));
  return keepAndRelease(moving);
}

export async function undoMove(moving: Moving): Promise<void> {
  await putBack(moving);
  await keepAndRelease(moving);
}

async function keepAndRelease(moving: Moving): Promise<string[]> {
  const kept = await keepEdited(moving);
  await release(moving.gitDir);
  return kept;
}

/** Finishes or undoes what a crash interrupted, in every checkout of this repository. */
export async function recoverMoves(context: GitContext, dir: string): Promise<void> {
  for (const gitDir of await gitDirsOf(dir)) {
    if (await exists(areaOf(gitDir))) await recover(context, { dir, gitDir });
  }
}

async function recover(
  context: GitContext,
  { dir, gitDir }: { dir: string; gitDir: string },
): Promise<void> {
  const area = areaOf(gitDir);
  const text = await ifThere(readFile(join(area, "plan.json"), "utf8"));
  const index = join(area, "index");
  // Nothing was moved yet.
  if (text === undefined) return release(gitDir);
  const { folder, steps, ...move } = JSON.parse(text) as Plan;
  const [from, to] = [commitId(move.from), commitId(move.to)];
  const moving: Moving = { folder, gitDir, index, area, move: { from, to }, steps };
  // The new index is in its place already.
  if (!(await exists(index))) {
    await keepAndRelease(moving);
    return;
  }
  const target = `refs/heads/${context.target}`;
  const landed = await contains(context, { dir, name: target, commit: to });
  // Without our lock the user has taken over: what they did not touch is put back.
  if (!landed) return undoMove(moving);
  if (!(await isOurs(gitDir))) {
    if (!(await retakeLock(gitDir))) return;
    // The landed files are in their places. What the user made of them since is theirs.
    if (!(await isUntouched(context, moving))) {
      await keepAndRelease(moving);
      return;
    }
  }
  await applyMove(context, moving);
  await refreshMoved(context, moving);
  await finishMove(moving);
}

/** False while a git of the user's works there; the next look tries again. */
async function retakeLock(gitDir: string): Promise<boolean> {
  try {
    await linkOrCopy(join(areaOf(gitDir), "lock"), lockOf(gitDir));
    return true;
  } catch (error) {
    if (hasCode(error, ["EEXIST"])) return false;
    throw error;
  }
}

/** The index holds what it held before the landing, and what is checked out has the landing. */
async function isUntouched(context: GitContext, { gitDir, area, move }: Moving): Promise<boolean> {
  if (!(await contains(context, { dir: gitDir, name: "HEAD", commit: move.to }))) return false;
  const listed = async (index: string): Promise<Buffer | undefined> => {
    if (!(await exists(index))) return undefined;
    const env = { GIT_INDEX_FILE: index };
    const args = ["ls-files", "--stage", "-z"];
    const result = await context.git({ args, dir: gitDir, env, expect: [0, 128] });
    return result.exitCode === 0 ? result.bytes : undefined;
  };
  const before = await listed(indexBefore(area));
  const now = await listed(join(gitDir, "index"));
  return before !== undefined && now !== undefined && before.equals(now);
}

export async function contains(
  context: GitContext,
  { dir, name, commit }: { dir: string; name: string; commit: Commit },
): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", commit, name];
  return (await context.git({ args, dir, expect: [0, 1, 128] })).exitCode === 0;
}
