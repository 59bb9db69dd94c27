// Puts a workspace back to a checkpoint in place: what git ignores (dependencies, builds) stays where
// it is. Everything that is there was saved just before. Its own repository is never used: a new one
// takes its place. What is in the way and is not saved is moved to a folder beside the workspace.
import { mkdir, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, isAbsent } from "../../lib/error-code.ts";
import { byteString, Folder, removeTree, splitPath } from "../shared/folder.ts";
import type { Extra } from "./checkpoint-extra.ts";
import type { Saved } from "./checkpoint.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import { readNote } from "./checkpoint-note.ts";
import { makeClone } from "./clone.ts";
import type { GitContext } from "./context.ts";
import { replaceFile } from "./hub.ts";
import { mergeBase, resolve } from "./refs.ts";
import { extraOf, forgetRemote, isSavedAsFiles, markPartial, oddNames } from "./restore.ts";
import { freeName, restoreNested, writeFiles } from "./restore.ts";
import { restoreIndex, restoreRefs } from "./restore-refs.ts";
import { sparseNow } from "./restore-sparse.ts";
import { listedPaths, shownPath } from "./scan.ts";
import { freeAside, markerOf } from "./workspace.ts";

type Whole = { note: CheckpointNote; extra: Extra | undefined };

/** Where one restore keeps what is on its way in, and what has to give way. */
type Beside = { scratch: string; aside: () => Promise<Folder> };

export async function putBack(
  context: GitContext,
  { path, note, now }: { path: string; note: CheckpointNote; now: Saved },
): Promise<void> {
  const unsaved = unsavedIn(now.unsaved);
  const scratch = `${path}.restoring`;
  await removeTree(scratch);
  await mkdir(scratch);
  const beside = { scratch, aside: asideOf(path) };
  const sparse = await sparseNow(context, path, note);
  await using root = await Folder.open(path);
  const missing = sparse === undefined ? {} : { missing: sparse.missing };
  await replaceAll(context, root, { now: now.note, to: note, beside, unsaved, ...missing });
  await context.crash("git.restore.overlaid");
  const target = await resolve(context, context.targetRef);
  const base = await baseOf(context, note, target);
  const made = join(scratch, "clone");
  await mkdir(made);
  const dir = await makeClone(context, made, target);
  if (sparse !== undefined) await sparse.takeOver(dir);
  if (base !== undefined) await replaceFile(markerOf(made), `${base}\n`);
  await giveWay(root, { beside, unsaved });
  await replaceRepository(context, root, { made, note, leftOut: sparse?.leftOut ?? [] });
  await removeTree(scratch);
}

/** What the save just before could not hold: only the file itself has it. */
type Unsaved = {
  has: (path: string) => boolean;
  hasRepository: boolean;
  inside: (folder: string) => Unsaved;
};

/** By shown names: where two files share one, both count as unsaved. */
function unsavedIn(names: string[]): Unsaved {
  const all = new Set(names);
  return {
    has: (path) => all.size > 0 && withFoldersAbove(shownPath(path)).some((one) => all.has(one)),
    hasRepository: names.some((name) => /^\.git(?:\/|$)/.test(name)),
    inside: (folder) => {
      const start = `${shownPath(folder)}/`;
      const below = names.filter((name) => name.startsWith(start));
      return unsavedIn(below.map((name) => name.slice(start.length)));
    },
  };
}

const withFoldersAbove = (path: string): string[] =>
  path.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"));

/** A repository that is not saved is moved aside before another takes its place. */
async function giveWay(
  root: Folder,
  { beside, unsaved }: { beside: Beside; unsaved: Unsaved },
): Promise<void> {
  if (!unsaved.hasRepository || (await root.stat(".git")) === undefined) return;
  await moveAside(beside, { holder: root, name: ".git", path: ".git" });
}

async function baseOf(
  context: GitContext,
  { head }: CheckpointNote,
  target: Awaited<ReturnType<typeof resolve>>,
) {
  if (target === undefined || head === undefined) return target ?? head;
  return (await mergeBase(context, head, target)) ?? target;
}

/** Made where it is needed; there is one for each restore that needs it. */
function asideOf(path: string): () => Promise<Folder> {
  let made: string | undefined;
  return async () => {
    if (made === undefined) {
      made = await freeAside(path);
      await mkdir(made);
    }
    return Folder.open(made);
  };
}

type Change = {
  now: CheckpointNote | undefined;
  to: CheckpointNote | undefined;
  beside: Beside;
  unsaved: Unsaved;
  /** Left out of a sparse checkout now, and not any more. */
  missing?: Set<string>;
};

/** The files of `to` in the place of those of `now`, and the repositories inside. */
async function replaceAll(context: GitContext, root: Folder, change: Change): Promise<void> {
  const { now, to, beside } = change;
  for (const [path, commit] of now?.nested ?? []) {
    if (to?.nested.has(path) === true) continue;
    await using folder = await root.enter(path);
    if (folder === undefined) continue;
    const note = await readNote(context, commit);
    const unsaved = change.unsaved.inside(path);
    await giveWay(folder, { beside, unsaved });
    await replaceAll(context, folder, { now: note, to: undefined, beside, unsaved });
    await folder.remove(".git");
    await removeEmpty(root, path);
  }
  await replaceFiles(context, root, change);
  if (to !== undefined) await markPartial(root, to);
  for (const [path, commit] of to?.nested ?? []) {
    await using folder = await root.make(path, (holder, name, below) =>
      moveAside(beside, { holder, name, path: below }),
    );
    const before = now?.nested.get(path);
    const note = await readNote(context, commit);
    if (before === undefined && (await folder.names()).length === 0) {
      await restoreNested(context, folder.path, { note });
    } else {
      const from = before === undefined ? undefined : await readNote(context, before);
      const unsaved = change.unsaved.inside(path);
      await giveWay(folder, { beside, unsaved });
      await replaceAll(context, folder, { now: from, to: note, beside, unsaved });
      await replaceNestedRepository(context, folder, { note, beside });
    }
  }
}

async function replaceFiles(
  context: GitContext,
  root: Folder,
  { now, to, beside, unsaved, missing }: Change,
): Promise<void> {
  const [before, after] = [await wholeOf(context, now), await wholeOf(context, to)];
  const { gone, written } = await compare(context, { before, after, unsaved, missing });
  const folder = join(beside.scratch, "files");
  await mkdir(join(folder, "odd"), { recursive: true });
  if (after !== undefined && written.length > 0) {
    await writeFiles(context, { tree: after.note.tree, into: folder, only: written });
  }
  const odd = after?.extra === undefined || after.extra.odd.length === 0 ? undefined : after;
  if (odd?.extra !== undefined) {
    const only = oddNames(odd.extra);
    await writeFiles(context, { tree: odd.note.extra ?? "", into: join(folder, "odd"), only });
  }
  // The tree may have an older copy of what is not saved.
  const known = new Set(before?.paths.filter((path) => !unsaved.has(path)));
  for (const path of gone) await removeFile(root, path, { beside, isSaved: known.has(path) });
  await using source = await Folder.open(folder);
  for (const path of written) {
    await using holder = await source.enter(splitPath(path).above);
    if (holder !== undefined) {
      const from = holder.at(splitPath(path).name);
      await moveIn(root, { from, path, beside, isSaved: known.has(path) });
    }
  }
  for (const [number, { path }] of (odd?.extra?.odd ?? []).entries()) {
    const from = Buffer.from(join(folder, "odd", "odd", String(number)));
    await moveIn(root, { from, path, beside, isSaved: known.has(path) });
  }
  await removeTree(folder);
}

type WithPaths = Whole & { paths: string[] };

async function wholeOf(
  context: GitContext,
  note: CheckpointNote | undefined,
): Promise<WithPaths | undefined> {
  if (note === undefined) return undefined;
  const extra = await extraOf(context, note);
  const listed = await context.inHub(["ls-tree", "-r", "-z", "--name-only", note.tree]);
  const odd = extra?.odd.map(({ path }) => path) ?? [];
  return { note, extra, paths: [...listedPaths(listed.bytes), ...odd] };
}

type Compared = {
  before: WithPaths | undefined;
  after: WithPaths | undefined;
  unsaved: Unsaved;
  missing: Set<string> | undefined;
};

/** Paths that go, and paths of the tree that are to be written. */
async function compare(
  context: GitContext,
  { before, after, unsaved, missing }: Compared,
): Promise<{ gone: string[]; written: string[] }> {
  const kept = new Set(after?.paths);
  const gone = (before?.paths ?? []).filter((path) => !kept.has(path));
  const odd = new Set(after?.extra?.odd.map(({ path }) => path));
  const inTree = (after?.paths ?? []).filter((path) => !odd.has(path));
  if (after === undefined || before === undefined) return { gone, written: inTree };
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=d"];
  const result = await context.inHub([...args, before.note.tree, after.note.tree]);
  // What is there is not what the two trees have in common.
  const changed = inTree.filter((path) => unsaved.has(path) || missing?.has(path) === true);
  return { gone, written: [...new Set([...listedPaths(result.bytes), ...changed])] };
}

/** Removes a file or a link, or moves it aside, and removes the folders above that are empty then. */
async function removeFile(
  root: Folder,
  path: string,
  { beside, isSaved }: { beside: Beside; isSaved: boolean },
): Promise<void> {
  const { above, name } = splitPath(path);
  await using holder = await root.enter(above);
  const stats = await holder?.stat(name);
  // A folder in its place holds nothing that was saved under this name.
  if (holder === undefined || stats === undefined || stats.isDirectory()) return;
  if (isSaved) await holder.remove(name);
  else await moveAside(beside, { holder, name, path });
  await removeEmpty(root, above);
}

async function removeEmpty(root: Folder, path: string): Promise<void> {
  let folder = path;
  while (folder !== "") {
    const { above, name } = splitPath(folder);
    await using holder = await root.enter(above);
    if (holder === undefined) return;
    try {
      await rmdir(holder.at(name));
    } catch (error) {
      if (isAbsent(error) || hasCode(error, ["ENOTEMPTY", "EEXIST"])) return;
      throw error;
    }
    folder = above;
  }
}

async function moveIn(
  root: Folder,
  { from, path, beside, isSaved }: { from: Buffer; path: string; beside: Beside; isSaved: boolean },
): Promise<void> {
  const { above, name } = splitPath(path);
  await using holder = await root.make(above, (folder, inTheWay, below) =>
    moveAside(beside, { holder: folder, name: inTheWay, path: below }),
  );
  const there = await holder.stat(name);
  if (there !== undefined && (!isSaved || there.isDirectory())) {
    await moveAside(beside, { holder, name, path });
  }
  await rename(from, holder.at(name));
}

/** To the same path beside the workspace, under another name where that is taken. */
async function moveAside(
  { aside }: Beside,
  { holder, name, path }: { holder: Folder; name: string; path: string },
): Promise<void> {
  await using folder = await aside();
  await using to = await folder.make(splitPath(path).above, async (above, taken) => {
    await rename(above.at(taken), above.at(await freeName(above, taken)));
  });
  await rename(holder.at(name), to.at(await freeName(to, name)));
}

/** A repository that Pawl made takes the place of the one that is there. */
async function replaceRepository(
  context: GitContext,
  root: Folder,
  { made, note, leftOut }: { made: string; note: CheckpointNote; leftOut: string[] },
): Promise<void> {
  const extra = await extraOf(context, note);
  await restoreRefs(context, join(made, ".git"), { note, extra });
  await root.remove(".git");
  await rename(join(made, ".git"), root.at(byteString(".git")));
  await restoreIndex(context, root.path, { note, extra, leftOut });
}

async function replaceNestedRepository(
  context: GitContext,
  folder: Folder,
  { note, beside }: { note: CheckpointNote; beside: Beside },
): Promise<void> {
  // Its files were written with the others.
  if (isSavedAsFiles(await extraOf(context, note))) return;
  const made = join(beside.scratch, "nested");
  await removeTree(made);
  await mkdir(made);
  await makeClone(context, made, undefined);
  await replaceRepository(context, folder, { made, note, leftOut: [] });
  await forgetRemote(context, `${folder.path}/.git`);
}
