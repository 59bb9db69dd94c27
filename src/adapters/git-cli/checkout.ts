// A clean checkout of a commit at a pooled path, made from nothing each time: git writes every file
// into a new folder with an empty index, now or ahead (spare-checkout.ts). What ran there before has no
// influence, except through the folders that are kept, and those are moved over by name without
// following a link.
import { createHash } from "node:crypto";
import { copyFile, lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Tree } from "../../core/ids.ts";
import type { Git } from "../../ports/git.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { makeClone } from "./clone.ts";
import { treeOf } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { ensureLfs } from "./lfs.ts";
import { moveKept } from "./kept-folders.ts";
import { resolve } from "./refs.ts";
import { coneOf, makeSparse, SPARSE, withSparseView } from "./sparse.ts";
import type { Spare } from "./spare-checkout.ts";
import {
  GATE_FIRST_MS,
  isFilledFrom,
  isReady,
  makeSpares,
  removeSpares,
  sparesFor,
  takeSpare,
} from "./spare-checkout.ts";
import { addSubmodules } from "./submodule-files.ts";
import { removeTree } from "../shared/folder.ts";

type Request = Parameters<Git["checkout"]>[0];

export async function checkout(context: GitContext, request: Request): Promise<{ tree: Tree }> {
  const name = createHash("sha1").update(request.path).digest("hex").slice(0, 20);
  const index = join(context.privateDir, "checkouts", `${name}.index`);
  const { path, commit, keep, history, sparse = [] } = request;
  // Tools compare times: what is kept must be older than all files, which a spare's need not be.
  const isSparable = keep.length === 0 && sparse.length === 0;
  return context.serial(index, async () => {
    const spares = isSparable ? await sparesFor(index) : [];
    const spare = spares.find((one) => one.commit === commit) ?? spares.at(-1);
    const left = spares.filter((one) => one !== spare);
    const isFromSpare = spare !== undefined && (await fill(context, request, { index, spare }));
    if (!isFromSpare) await fillFromNothing(context, request, index);
    if (history) await addHistory(context, request, index);
    const only = request.sparse === undefined ? {} : { only: coneOf(sparse) };
    const hasSubmodules = (await ifThere(lstat(join(path, ".gitmodules")))) !== undefined;
    if (hasSubmodules && !isFromSpare) {
      await addSubmodules(context, { path, commit, history, lenient: false, ...only });
    }
    // Before the next one here, and behind the gate, which would wait for it otherwise. Where it
    // fails, the next checkout clears the index and writes all files.
    const afterwards = context.serial(index, async () => {
      const { next } = request;
      if (isSparable && !hasSubmodules) await makeSpares(context, { index, commit, left, next });
      else await removeSpares(left);
      await rm(index, { force: true });
    });
    afterwards.catch(() => undefined);
    return { tree: await treeOf(context, commit) };
  });
}

async function fillFromNothing(
  context: GitContext,
  request: Request,
  index: string,
): Promise<void> {
  // First: where they are missing, the folders to keep stay where they are.
  await ensureLfs(context, request.commit);
  try {
    await fill(context, request, { index });
  } catch (error) {
    // Git cannot write its files between those of a kept folder: then nothing is kept.
    if (!(error instanceof OperationError) || request.keep.length === 0) throw error;
    await fill(context, { ...request, keep: [] }, { index });
  }
}

type Start = { index: string; spare?: Spare };

/** False where the spare cannot be used, and all is to be written again. */
async function fill(
  context: GitContext,
  request: Request,
  { index, spare }: Start,
): Promise<boolean> {
  const { path, commit } = request;
  const before = `${path}.before`;
  await mkdir(dirname(path), { recursive: true });
  await removals.get(before);
  await removeTree(before);
  // Not `stat`: a gate may have put a link there.
  if ((await ifThere(lstat(path))) !== undefined) await rename(path, before);
  await context.crash("git.checkout.moved-aside");
  for (const file of [`${index}.lock`, index]) await rm(file, { force: true });
  const isThere = spare !== undefined && (await isReady(spare, commit));
  if (spare === undefined) await mkdir(path);
  else if (!(await takeSpare(spare, { path, index }))) return false;
  for (const kept of request.keep) await moveKept(before, path, kept);
  await context.crash("git.checkout.kept");
  const write = (dir: string, settings: [string, string][]) =>
    context.git({
      args: ["read-tree", "--reset", "-u", "-v", commit],
      dir,
      cwd: path,
      env: { GIT_WORK_TREE: path, GIT_INDEX_FILE: index },
      // One worker per processor; git uses them only where there are many files.
      settings: [["checkout.workers", "0"], ...settings],
      what: `check out ${commit} at ${path}`,
    });
  const { sparse: folders = [] } = request;
  const { hub: dir } = context;
  if (!isThere) {
    const writing =
      folders.length === 0
        ? write(dir, [])
        : withSparseView(context, { dir, folders }, (view) => write(view, SPARSE));
    if (spare === undefined) await writing;
    else if (!(await isFilledFrom(context, { spare, commit }, writing))) return false;
  }
  await context.crash("git.checkout.files-written");
  removeMeanwhile(before);
  return true;
}

/** Removals under way, by folder; for the whole program, because a changed configuration makes a new Git. */
const removals = new Map<string, Promise<void>>();

/**
 * A check need not wait until thousands of files of the last one are deleted. What cannot be deleted
 * is tried again, and reported, by the next checkout at this path.
 */
function removeMeanwhile(folder: string): void {
  const removal = delay(GATE_FIRST_MS)
    .then(() => removeTree(folder))
    .catch(() => undefined)
    .finally(() => removals.delete(folder));
  removals.set(folder, removal);
}

/** The repository is made again each time: a check may have changed the last one. */
async function addHistory(context: GitContext, request: Request, index: string): Promise<void> {
  const targetAt = await resolve(context, context.targetRef);
  const dir = await makeClone(context, request.path, targetAt);
  if (request.sparse !== undefined) await makeSparse(dir, request.sparse);
  await context.git({ args: ["update-ref", "--no-deref", "HEAD", request.commit], dir });
  await copyFile(index, join(dir, "index"));
}
