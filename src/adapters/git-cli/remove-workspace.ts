// Removes a workspace: it is moved aside, so that no one works in it by its name, then saved once
// more and compared with what was saved, and only then removed. What cannot be saved keeps it.
import { lstat, rename } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "../../lib/if-there.ts";
import type { Git } from "../../ports/git.ts";
import { removeTree } from "../shared/folder.ts";
import { saveWorkspace } from "./checkpoint.ts";
import type { GitContext } from "./context.ts";
import { exists } from "./hub.ts";
import { takeAllLfs } from "./lfs.ts";
import { findUnsaved } from "./unsaved.ts";
import { freeAside } from "./workspace.ts";

type Request = Parameters<Git["removeWorkspace"]>[0];
type Removal = Awaited<ReturnType<Git["removeWorkspace"]>>;

export async function removeWorkspace(context: GitContext, request: Request): Promise<Removal> {
  const { path } = request;
  const leaving = `${path}.removing`;
  await removeTree(`${path}.removed`);
  for (const unfinished of ["new", "restoring"]) await removeTree(`${path}.${unfinished}`);
  await context.crash("git.workspace.removing");
  if (await exists(leaving)) {
    // A crash came between moving and comparing. Where another has its place, it stays aside.
    const back = (await exists(path)) ? await freeAside(path) : path;
    const removal = await compareAndRemove(context, request, { leaving, back });
    if (removal.kind === "kept" && back === path) return removal;
  }
  if (!(await exists(path))) return { kind: "removed" };
  await rename(path, leaving);
  await context.crash("git.workspace.renamed");
  return compareAndRemove(context, request, { leaving, back: path });
}

async function compareAndRemove(
  context: GitContext,
  request: Request,
  { leaving, back }: { leaving: string; back: string },
): Promise<Removal> {
  const unsaved = await saveAll(context, request, leaving).catch(async (error: unknown) => {
    await rename(leaving, back);
    throw error;
  });
  if (unsaved.length > 0) {
    await rename(leaving, back);
    return { kind: "kept", unsaved };
  }
  // From here on it is known to be saved, and half of it may be gone.
  const removed = `${request.path}.removed`;
  await rename(leaving, removed);
  await context.crash("git.workspace.compared");
  await removeTree(removed);
  return { kind: "removed" };
}

/** Paths that are not on the chain of checkpoints. */
async function saveAll(
  context: GitContext,
  { path, identity }: Request,
  leaving: string,
): Promise<string[]> {
  const request = { workspace: path, identity, reason: "at removal" };
  const result = await saveWorkspace(context, request, { at: leaving, whole: true });
  if (result === undefined) return [];
  const { unsaved, note } = result.saved;
  const heads = [...(note.head === undefined ? [] : [note.head]), ...note.refs.values()];
  await takeAllLfs(context, leaving, [...heads, ...note.kept]);
  const repository = await ifThere(lstat(join(leaving, ".git")));
  // A repository that is gone, or only a link to one elsewhere, loses nothing with the workspace.
  const isOwn = repository !== undefined && !repository.isSymbolicLink();
  const listed = unsaved.filter((name) => isOwn || !/^\.git(?:\/|$)/.test(name));
  const walked = await findUnsaved(context, { path: leaving, key: path }, note);
  return [...new Set([...listed, ...walked])].toSorted();
}
