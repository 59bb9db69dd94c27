// Restores a checkpoint for a person: in a separate folder, or in the workspace itself once no
// agent works there and its present content has been saved.
import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { errorCode } from "../../lib/error-code.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Checkpoints } from "../../ports/checkpoints.ts";
import { saveWorkspace } from "./checkpoint.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import { readNote } from "./checkpoint-note.ts";
import { makeClone } from "./clone.ts";
import type { GitContext } from "./context.ts";
import { resolve, setRef } from "./refs.ts";
import { removeTree } from "../shared/folder.ts";
import { putBack } from "./put-back.ts";
import { overlayCheckpoint } from "./restore.ts";
import { prepareWorkspace } from "./workspace.ts";

/** Built beside its place and renamed into it, so that what is there is whole. */
export async function restoreTo(
  context: GitContext,
  { commit, path }: { commit: Commit; path: string },
): Promise<void> {
  const note = await readNote(context, commit);
  const unfinished = await makeBeside(path);
  const target = await resolve(context, context.targetRef);
  const dir = await makeClone(context, unfinished, target);
  // Another repository's commits: the target has none of them.
  const onNested = (nested: string): Promise<void> => ownWork(context, nested, undefined);
  await overlayCheckpoint(context, unfinished, { note, onNested });
  await ownWork(context, dir, target);
  await context.crash("git.restore.built");
  await rename(unfinished, path);
}

/**
 * Nothing in the hub names what a person has restored, and the chain that it came from goes one day.
 * So all that the target does not have is copied into it, and the target that it borrows the rest from
 * stays, also where upstream replaces its history.
 */
async function ownWork(
  context: GitContext,
  dir: string,
  target: Commit | undefined,
): Promise<void> {
  if (target !== undefined) await setRef(context, `refs/pawl/restored/${target}`, target);
  const all = ["--revs", "--all", "--reflog", "--indexed-objects"];
  await context.git({
    args: ["pack-objects", "--quiet", ...all, join(dir, "objects", "pack", "pack")],
    dir,
    stdin: target === undefined ? "" : `^${target}\n`,
    // A ref whose objects are broken was saved as it was: then it borrows all of it.
    expect: [0, 128],
    what: "copy the restored work into its folder",
  });
}

/** The place is a person's choice: where it cannot be used, that is an answer. */
async function makeBeside(path: string): Promise<string> {
  const unfinished = `${path}.pawl-new`;
  try {
    if (!(await isFree(path))) throw taken(path);
    await removeTree(unfinished);
    await mkdir(unfinished);
    return unfinished;
  } catch (error) {
    if (error instanceof OperationError || errorCode(error) === undefined) throw error;
    throw unusable(path, error as Error);
  }
}

const unusable = (path: string, cause: Error): OperationError =>
  new OperationError(`cannot restore into ${path}: ${cause.message}`, {
    code: "folder-unusable",
    hint: "name a folder that can be made, with --to",
    cause,
  });

async function isFree(path: string): Promise<boolean> {
  const names = await ifThere(readdir(path));
  if (names !== undefined) return names.length === 0;
  await makeFolders(dirname(path));
  return true;
}

/** Node's recursive mkdir never ends in a file system that answers ENOENT to it, as /proc does. */
async function makeFolders(path: string): Promise<void> {
  if ((await ifThere(stat(path))) !== undefined) return;
  await makeFolders(dirname(path));
  await mkdir(path);
}

const taken = (path: string): OperationError =>
  new OperationError(`cannot restore into ${path}: it already exists`, {
    code: "folder-taken",
    hint: "name a folder that does not exist",
  });

export async function restoreInto(
  context: GitContext,
  request: Parameters<Checkpoints["restoreInto"]>[0],
): ReturnType<Checkpoints["restoreInto"]> {
  if (!(await request.mayBegin())) return "refused";
  const { workspace, identity, commit } = request;
  const note = await readNote(context, commit);
  const reason = `before checkpoint ${note.number} was restored`;
  const saved = await saveWorkspace(context, { workspace, identity, reason }, { whole: true });
  if (saved === undefined) await rebuild(context, { path: workspace, note });
  else await putBack(context, { path: workspace, note, now: saved.saved });
  return "restored";
}

async function rebuild(
  context: GitContext,
  { path, note }: { path: string; note: CheckpointNote },
): Promise<void> {
  const from = (await resolve(context, context.targetRef)) ?? note.head;
  const branch = note.branch?.replace(/^refs\/heads\//, "");
  if (from === undefined || branch === undefined) throw notRebuilt(path, note);
  await prepareWorkspace(context, { path, branch, from, checkpoint: note.commit });
}

const notRebuilt = (path: string, note: CheckpointNote): OperationError =>
  new OperationError(`cannot rebuild ${path}: checkpoint ${note.number} was on no branch`, {
    code: "checkpoint-detached",
    hint: "restore it with --to DIR",
  });
