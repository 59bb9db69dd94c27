// The files of a landing on their way into the user's checkout and back: whole files, by renaming.
// Paths are byte strings (Latin-1). Safe to repeat after a crash at any point: `area/old` has what was
// moved aside, `area/new` what is not in its place yet.
import {
  copyFile,
  link,
  lstat,
  lutimes,
  mkdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
} from "node:fs/promises";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { hasCode, isAbsent } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { bytePath, shownPath } from "./scan.ts";

/** What tells one state of a file from another without reading it. */
type Print = { size: number; mtimeMs: number };

export type FileStep = {
  path: string;
  /** The user's file as it was before; absent where there is none. */
  old?: Print;
  /** The landed file; absent where it goes, or is left out of a sparse checkout. */
  new?: Print;
  isSubmodule?: true;
};

type Files = { folder: string; area: string; steps: FileStep[] };

const SUBMODULE = "160000";
const ABSENT = "000000";
const SUBMODULE_PRINT: Print = { size: 0, mtimeMs: 0 };

/** A path that the landing changes, with the user's file as it is before anyone judges it. */
export type Changed = {
  path: string;
  old: Print | undefined;
  isSubmodule: boolean;
  isAdded: boolean;
  isDeleted: boolean;
};

/**
 * From what `diff-tree --raw -z` lists. Before git is asked whether the user has edits there: an edit
 * that is saved after its answer has another print.
 */
export async function lookBefore(folder: string, raw: Buffer): Promise<Changed[]> {
  const fields = raw.toString("latin1").split("\0");
  const changed: Changed[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? "";
    const [from = "", to = ""] = (fields[at] ?? "").slice(1).split(" ", 2);
    const isSubmodule = from === SUBMODULE || to === SUBMODULE;
    const old = await printOf(bytePath(folder, path));
    const [isAdded, isDeleted] = [from === ABSENT, to === ABSENT];
    changed.push({ path, old, isSubmodule, isAdded, isDeleted });
  }
  return changed;
}

/**
 * With what git has written to `area/new`. A path is left alone where git leaves it alone: the user
 * has staged the same, or hides it from git (skip-worktree).
 */
export async function planFiles(found: {
  area: string;
  changed: Changed[];
  /** Deletions that the user has staged: a file that is there is not git's. */
  untracked: Set<string>;
}): Promise<FileStep[]> {
  const steps: FileStep[] = [];
  for (const { path, old, isSubmodule, isDeleted } of found.changed) {
    const staged = bytePath(`${found.area}/new`, path);
    const after = isSubmodule ? SUBMODULE_PRINT : await printOf(staged);
    const goes = isDeleted && !found.untracked.has(path);
    if (after === undefined && !goes) continue;
    steps.push({
      path,
      ...(old === undefined ? {} : { old }),
      ...(after === undefined || goes ? {} : { new: after }),
      ...(isSubmodule ? { isSubmodule: true as const } : {}),
    });
  }
  return steps;
}

async function printOf(path: Buffer): Promise<Print | undefined> {
  const stats = await ifThere(lstat(path));
  if (stats === undefined || stats.isDirectory()) return undefined;
  return { size: stats.size, mtimeMs: Math.round(stats.mtimeMs) };
}

const isSame = (a: Print | undefined, b: Print | undefined): boolean =>
  a?.size === b?.size && a?.mtimeMs === b?.mtimeMs;

export async function bringIn(files: Files, crash: CrashPoint): Promise<void> {
  const { folder, area, steps } = files;
  const plain = steps.filter((step) => step.isSubmodule !== true);
  for (const step of plain) {
    if (step.old === undefined || (await printOf(bytePath(`${area}/old`, step.path)))) continue;
    await move(bytePath(folder, step.path), `${area}/old`, step.path);
    if (isSame(await printOf(bytePath(`${area}/old`, step.path)), step.old)) continue;
    throw changedMeanwhile(folder, step.path);
  }
  await crash("git.land.moved-aside");
  for (const { path } of steps) await removeEmptyFolders(folder, path);
  for (const step of plain) {
    const staged = bytePath(`${area}/new`, step.path);
    if (step.new === undefined || (await printOf(staged)) === undefined) continue;
    await move(staged, folder, step.path);
  }
  for (const step of steps.filter((one) => one.isSubmodule === true && one.new !== undefined)) {
    await mkdir(bytePath(folder, step.path), { recursive: true });
  }
}

/** What the user changed since is left as it is: the old version is in their history. */
export async function putBack({ folder, area, steps }: Files): Promise<void> {
  const plain = steps.filter((step) => step.isSubmodule !== true);
  for (const step of plain) {
    const [there, staged] = await Promise.all([
      printOf(bytePath(folder, step.path)),
      printOf(bytePath(`${area}/new`, step.path)),
    ]);
    const isLanded = step.new !== undefined && staged === undefined && isSame(there, step.new);
    if (isLanded) await rm(bytePath(folder, step.path), { force: true });
  }
  for (const { path } of steps) await removeEmptyFolders(folder, path);
  for (const step of plain) {
    const aside = bytePath(`${area}/old`, step.path);
    if ((await printOf(aside)) === undefined) continue;
    if ((await printOf(bytePath(folder, step.path))) !== undefined) continue;
    await move(aside, folder, step.path);
  }
}

/** An editor may hold the file that was moved aside open, and write to it still. */
export async function requireUnedited({ folder, area, steps }: Files): Promise<void> {
  const [edited] = await editedAside({ area, steps });
  if (edited !== undefined) throw changedMeanwhile(folder, edited);
}

/**
 * Before `area` is removed: what was written to a file after it was moved aside is nowhere else, so
 * it is put beside the landed one. Answers the names, as people read them.
 */
export async function keepEdited({ folder, area, steps }: Files): Promise<string[]> {
  const kept: string[] = [];
  for (const path of await editedAside({ area, steps })) {
    const name = await freeName(folder, path);
    await move(bytePath(`${area}/old`, path), folder, name);
    kept.push(shownPath(name));
  }
  return kept;
}

const KEPT = ".kept-by-pawl";

/** At the top where its own folder is a file now, or the name would be too long. */
async function freeName(folder: string, path: string): Promise<string> {
  const isTaken = async (name: string): Promise<boolean> =>
    (await ifThere(lstat(bytePath(folder, name)))) !== undefined;
  let base = `${path}${KEPT}`;
  try {
    await lstat(bytePath(folder, base));
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return base;
    if (!hasCode(error, ["ENOTDIR", "ENAMETOOLONG"])) throw error;
    base = `edit${KEPT}`;
  }
  let name = base;
  for (let n = 2; await isTaken(name); n += 1) name = `${base}-${n}`;
  return name;
}

async function editedAside({ area, steps }: Pick<Files, "area" | "steps">): Promise<string[]> {
  const edited: string[] = [];
  for (const { path, old, isSubmodule } of steps) {
    if (isSubmodule === true) continue;
    const aside = await printOf(bytePath(`${area}/old`, path));
    if (aside !== undefined && !isSame(aside, old)) edited.push(path);
  }
  return edited;
}

/** Never over what is there: a link fails where a rename would replace. */
async function move(from: Buffer, root: string, path: string): Promise<void> {
  const slash = path.lastIndexOf("/");
  const parent = slash === -1 ? bytePath(root, ".") : bytePath(root, path.slice(0, slash));
  await mkdir(parent, { recursive: true });
  const to = bytePath(root, path);
  try {
    await link(from, to);
    await rm(from, { force: true });
  } catch (error) {
    if (hasCode(error, ["EEXIST"])) throw changedMeanwhile(root, path);
    // A file system without hard links; or part of the checkout is on another one.
    if (hasCode(error, ["EXDEV"])) return copyOver(from, to);
    if (!hasCode(error, NO_LINKS)) throw error;
    if ((await ifThere(lstat(to))) !== undefined) throw changedMeanwhile(root, path);
    await rename(from, to);
  }
}

/** What `link` answers on a file system without hard links. */
export const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** Whole or not at all as well, by a name beside its place. */
async function copyOver(from: Buffer, to: Buffer): Promise<void> {
  const beside = Buffer.concat([to, Buffer.from(".pawl-new")]);
  await rm(beside, { force: true });
  const stats = await lstat(from);
  if (stats.isSymbolicLink()) await symlink(await readlink(from, "buffer"), beside);
  else await copyFile(from, beside);
  await lutimes(beside, stats.atime, stats.mtime);
  await rename(beside, to);
  await rm(from, { force: true });
}

const changedMeanwhile = (folder: string, path: string): OperationError =>
  new OperationError(`cannot move the checkout at ${folder} forward: ${shownPath(path)} changed`, {
    code: "checkout-changed",
    retryable: true,
  });

async function removeEmptyFolders(root: string, path: string): Promise<void> {
  let folder = path;
  while (folder.includes("/")) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    try {
      await rmdir(bytePath(root, folder));
    } catch (error) {
      if (isAbsent(error)) continue;
      if (hasCode(error, ["ENOTEMPTY", "EEXIST", "EBUSY"])) return;
      throw error;
    }
  }
}
