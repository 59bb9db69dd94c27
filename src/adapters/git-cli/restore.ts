// Rebuilds a workspace from a checkpoint: refs and HEAD as recorded, files byte for byte, so that
// what was not committed then is not committed now. Only used where no agent works.
import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, isAbsent } from "../../lib/error-code.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import { readNote } from "./checkpoint-note.ts";
import { makeClone } from "./clone.ts";
import type { GitContext } from "./context.ts";
import { rawEnvironment } from "./hub.ts";
import { bytePath } from "./scan.ts";

export async function overlayCheckpoint(
  context: GitContext,
  path: string,
  note: CheckpointNote,
): Promise<void> {
  const dir = join(path, ".git");
  await restoreRefs(context, dir, note);
  const worktree = { dir, cwd: path, env: { GIT_WORK_TREE: path } };
  if (note.head !== undefined) {
    await context.git({ args: ["reset", "--quiet", "--hard", note.head], ...worktree });
  }
  if (note.head !== undefined) {
    await removeMissing(context, path, { from: note.head, to: note.tree });
  }
  await writeFiles(context, path, note);
  await context.crash("git.workspace.files-restored");
  for (const [name, commit] of note.nested) {
    await restoreNested(context, join(path, name), await readNote(context, commit));
  }
  await context.git({ args: ["update-index", "-q", "--refresh"], ...worktree, expect: [0, 1] });
}

async function restoreRefs(context: GitContext, dir: string, note: CheckpointNote): Promise<void> {
  const heads = [...note.refs].filter(([name]) => name !== "refs/stash");
  for (const [name, commit] of heads) {
    await context.git({ args: ["update-ref", name, commit], dir });
  }
  const top = note.refs.get("refs/stash");
  const stash = [
    ...note.kept.filter((commit) => commit !== top),
    ...(top === undefined ? [] : [top]),
  ];
  for (const commit of top === undefined ? [] : stash) {
    const args = ["update-ref", "--create-reflog", "-m", "restored", "refs/stash", commit];
    await context.git({ args, dir, env: IDENTITY });
  }
  if (note.branch !== undefined) {
    await context.git({ args: ["symbolic-ref", "HEAD", note.branch], dir });
  } else if (note.head !== undefined) {
    await context.git({ args: ["update-ref", "--no-deref", "HEAD", note.head], dir });
  }
}

const IDENTITY = { GIT_COMMITTER_NAME: "Pawl", GIT_COMMITTER_EMAIL: "pawl@localhost" };

/** Removes the files that the one tree has and the other has not. */
export async function removeMissing(
  context: GitContext,
  path: string,
  trees: { from: string; to: string },
): Promise<void> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--diff-filter=D"];
  const result = await context.inHub([...args, trees.from, trees.to]);
  const fields = result.bytes.toString("latin1").split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at + 1] ?? "";
    // A submodule that is not checked out is no deletion.
    if (fields[at]?.startsWith(":160000") === true) continue;
    await rm(bytePath(path, name), { force: true });
    await removeEmptyParents(path, name);
  }
}

async function removeEmptyParents(path: string, name: string): Promise<void> {
  let folder = name;
  while (folder.includes("/")) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    try {
      await rmdir(bytePath(path, folder));
    } catch (error) {
      if (isAbsent(error) || errorCode(error) === "ENOTEMPTY") return;
      throw error;
    }
  }
}

async function writeFiles(context: GitContext, path: string, note: CheckpointNote): Promise<void> {
  const index = join(path, ".git", "pawl-restore-index");
  const env = { ...rawEnvironment(context), GIT_WORK_TREE: path, GIT_INDEX_FILE: index };
  await context.git({ args: ["read-tree", note.tree], cwd: path, env });
  await context.git({ args: ["checkout-index", "--force", "--quiet", "--all"], cwd: path, env });
  await rm(index, { force: true });
}

async function restoreNested(
  context: GitContext,
  path: string,
  note: CheckpointNote,
): Promise<void> {
  await mkdir(path, { recursive: true });
  const dir = await makeClone(context, path, undefined);
  await overlayCheckpoint(context, path, note);
  // Pawl's remote is for the workspace itself; a nested repository belongs to something else.
  await context.git({ args: ["config", "--remove-section", "remote.origin"], dir });
}
