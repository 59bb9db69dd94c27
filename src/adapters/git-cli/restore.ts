// Rebuilds a workspace from a checkpoint: refs, HEAD and index as recorded, files byte for byte, so
// that what was not committed then is not committed now. Only used where no agent works. The
// repository is always one that Pawl makes; no link is followed on the way to a file.
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Folder, splitPath } from "../shared/folder.ts";
import type { Extra } from "./checkpoint-extra.ts";
import { readExtra } from "./checkpoint-extra.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import { readNote } from "./checkpoint-note.ts";
import { makeClone } from "./clone.ts";
import type { GitContext } from "./context.ts";
import { rawEnvironment } from "./hub.ts";
import { restoreIndex, restoreRefs } from "./restore-refs.ts";
import { listedPaths } from "./scan.ts";

type OnNested = ((dir: string) => Promise<void>) | undefined;
type Overlay = { note: CheckpointNote; leftOut?: string[]; onNested?: OnNested };

/** Fills a folder that holds nothing but the clone that `makeClone` made there. */
export async function overlayCheckpoint(
  context: GitContext,
  path: string,
  /** `leftOut`: paths of a sparse checkout that stay out of it. `onNested`: of each that is whole. */
  { note, leftOut = [], onNested }: Overlay,
): Promise<void> {
  const dir = join(path, ".git");
  const extra = await extraOf(context, note);
  await restoreRefs(context, dir, { note, extra });
  await fillEmpty(context, path, { note, extra, leftOut, onNested });
  await context.crash("git.workspace.files-restored");
  await restoreIndex(context, path, { note, extra, leftOut });
}

export const extraOf = async (
  context: GitContext,
  note: CheckpointNote,
): Promise<Extra | undefined> =>
  note.extra === undefined ? undefined : readExtra(context, note.extra);

/** The repository inside was saved as files, because its commits could not be copied. */
export const isSavedAsFiles = (extra: Extra | undefined): boolean =>
  extra?.odd.some(({ path }) => path.startsWith(".git/")) === true;

type Content = {
  note: CheckpointNote;
  extra: Extra | undefined;
  leftOut: string[];
  onNested: OnNested;
};

async function pathsWithout(
  context: GitContext,
  { tree }: CheckpointNote,
  leftOut: string[],
): Promise<string[]> {
  const listed = await context.inHub(["ls-tree", "-r", "-z", "--name-only", tree]);
  const without = new Set(leftOut);
  return listedPaths(listed.bytes).filter((path) => !without.has(path));
}

/** All files of a checkpoint, and the repositories inside, in a folder without files. */
async function fillEmpty(
  context: GitContext,
  path: string,
  { note, extra, leftOut, onNested }: Content,
): Promise<void> {
  const only = leftOut.length === 0 ? {} : { only: await pathsWithout(context, note, leftOut) };
  await writeFiles(context, { tree: note.tree, into: path, ...only });
  await using root = await Folder.open(Buffer.from(`${path}/.`));
  if (extra !== undefined && extra.odd.length > 0) {
    const scratch = join(path, `.pawl-odd-${randomUUID()}`);
    await writeFiles(context, { tree: note.extra ?? "", into: scratch, only: oddNames(extra) });
    for (const [number, { path: to }] of extra.odd.entries()) {
      await using holder = await root.make(splitPath(to).above);
      await rename(join(scratch, "odd", String(number)), holder.at(splitPath(to).name));
    }
    await root.remove(scratch.slice(path.length + 1));
  }
  await markPartial(root, note);
  for (const [name, commit] of note.nested) {
    await using folder = await root.make(name);
    await restoreNested(context, folder.path, { note: await readNote(context, commit), onNested });
  }
}

export const oddNames = ({ odd }: Extra): string[] => odd.map((_, number) => `odd/${number}`);

/** A copy of an earlier moment must not pass for the file itself. */
export async function markPartial(root: Folder, { partial }: CheckpointNote): Promise<void> {
  for (const text of partial) {
    const { above, name } = splitPath(Buffer.from(text).toString("latin1"));
    await using holder = await root.enter(above);
    const stats = await holder?.stat(name);
    if (holder === undefined || stats === undefined) continue;
    const marked = await freeName(holder, `${name}.partial`);
    await rename(holder.at(name), holder.at(marked));
  }
}

/** The name itself, or the first with a number that nothing has. */
export async function freeName(folder: Folder, name: string): Promise<string> {
  let number = 1;
  const named = (): string => (number === 1 ? name : `${name}.${number}`);
  while ((await folder.stat(named())) !== undefined) number += 1;
  return named();
}

export async function restoreNested(
  context: GitContext,
  path: string,
  { note, onNested }: Pick<Overlay, "note" | "onNested">,
): Promise<void> {
  const extra = await extraOf(context, note);
  if (isSavedAsFiles(extra))
    return fillEmpty(context, path, { note, extra, leftOut: [], onNested });
  const dir = await makeClone(context, path, undefined);
  await overlayCheckpoint(context, path, { note, onNested });
  await forgetRemote(context, dir);
  await onNested?.(dir);
}

/** Pawl's remote is for the workspace itself; a nested repository belongs to something else. */
export async function forgetRemote(context: GitContext, dir: string): Promise<void> {
  await context.git({ args: ["config", "--remove-section", "remote.origin"], dir });
}

/** Writes files of a tree into a folder that has none of them, bytes as they are. */
export async function writeFiles(
  context: GitContext,
  { tree, into, only }: { tree: string; into: string; only?: string[] },
): Promise<void> {
  const index = join(context.privateDir, "checkpoints", `${randomUUID()}.restore`);
  const env = { ...rawEnvironment(context), GIT_WORK_TREE: into, GIT_INDEX_FILE: index };
  await mkdir(into, { recursive: true });
  await context.git({ args: ["read-tree", tree], cwd: into, env });
  const args = ["checkout-index", "--quiet"];
  const call = { env, cwd: into };
  if (only === undefined) await context.git({ args: [...args, "--all"], ...call });
  else {
    const stdin = Buffer.from(only.map((path) => `${path}\0`).join(""), "latin1");
    await context.git({ args: [...args, "-z", "--stdin"], ...call, stdin });
  }
  await rm(index, { force: true });
}
