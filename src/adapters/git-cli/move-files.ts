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

/**
 * From what `diff-tree --raw -z` lists and what git has written to `area/new`. A path is left alone
 * where git leaves it alone: the user has staged the same, or hides it from git (skip-worktree).
 */
export async function planFiles(found: {
  area: string;
  folder: string;
  raw: Buffer;
  /** Deletions that the user has staged: a file that is there is not git's. */
  untracked: Set<string>;
}): Promise<FileStep[]> {
  const fields = found.raw.toString("latin1").split("\0");
  const steps: FileStep[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? "";
    const [from = "", to = ""] = (fields[at] ?? "").slice(1).split(" ", 2);
    const isSubmodule = from === SUBMODULE || to === SUBMODULE;
    const [before, after] = await Promise.all([
      printOf(bytePath(found.folder, path)),
      isSubmodule ? SUBMODULE_PRINT : printOf(bytePath(`${found.area}/new`, path)),
    ]);
    const goes = to === ABSENT && !found.untracked.has(path);
    if (after === undefined && !goes) continue;
    steps.push({
      path,
      ...(before === undefined ? {} : { old: before }),
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
    if (!hasCode(error, ["EPERM", "ENOTSUP", "EMLINK"])) throw error;
    await rename(from, to);
  }
}

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
