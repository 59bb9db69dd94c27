// An agent's workspace: made beside its place and renamed into it when complete, so that what is
// there is whole. What is already there is never changed; what is not ours is moved aside, not removed.
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { CHECKOUT_INCOMPLETE, type Git } from "../../ports/git.ts";
import { readUntrusted } from "../shared/untrusted-file.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import { readNote } from "./checkpoint-note.ts";
import { makeClone } from "./clone.ts";
import type { GitContext } from "./context.ts";
import { exists, replaceFile } from "./hub.ts";
import { ensureLfs } from "./lfs.ts";
import { leftOutByCone } from "./restore-sparse.ts";
import { irregularIn } from "./irregular.ts";
import { isAncestor, mergeBase, readRefFile, resolve } from "./refs.ts";
import { lastWhole } from "./last-whole.ts";
import { removeTree } from "../shared/folder.ts";
import { overlayCheckpoint } from "./restore.ts";
import { coneOf, makeSparse } from "./sparse.ts";
import { addSubmodules } from "./submodule-files.ts";
import { followUpstream } from "./upstream-branch.ts";

type Request = Parameters<Git["prepareWorkspace"]>[0];
type Prepared = Awaited<ReturnType<Git["prepareWorkspace"]>>;

/** Written last: where it is, the workspace is complete. */
const MARKER_MAX_BYTES = 1024;
export const markerOf = (path: string): string => join(path, ".git", "pawl-complete");

export async function prepareWorkspace(context: GitContext, request: Request): Promise<Prepared> {
  const { path, branch } = request;
  const base = await readMarker(path);
  const head = base === undefined ? undefined : await headOf(context, path, branch);
  if (base !== undefined && head !== undefined) return { base, head, found: true };
  await moveAside(path);
  const unfinished = `${path}.new`;
  await removeTree(unfinished);
  await mkdir(unfinished, { recursive: true });
  await context.crash("git.workspace.folder-made");
  const start = await startOf(context, request);
  const made = await fill(context, { ...request, path: unfinished }, start);
  await replaceFile(markerOf(unfinished), `${made.base}\n`);
  await context.crash("git.workspace.complete");
  await rename(unfinished, path);
  await context.crash("git.workspace.in-place");
  return { ...made, found: false };
}

async function readMarker(path: string): Promise<Commit | undefined> {
  const text = await readUntrusted(markerOf(path), MARKER_MAX_BYTES);
  return text === undefined || !/^[0-9a-f]{40,64}$/.test(text.trim())
    ? undefined
    : commitId(text.trim());
}

/** What a repository of ours cannot be without. */
const PARTS = ["HEAD", "config", "refs", join("objects", "info", "alternates")];

/** Undefined where the repository is half gone: it is no workspace any more, and is made again. */
async function headOf(
  context: GitContext,
  path: string,
  branch: string,
): Promise<Commit | undefined> {
  const dir = join(path, ".git");
  const isWhole = (await Promise.all(PARTS.map((part) => exists(join(dir, part))))).every(Boolean);
  if (!isWhole || (await irregularIn(dir)) !== undefined) return undefined;
  const ours = await readRefFile(dir, `refs/heads/${branch}`);
  return ours ?? (await resolve(context, "HEAD", dir));
}

/** Someone's files without our marker may be work: an agent can have removed its `.git`. */
async function moveAside(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if (!(await exists(path))) return;
  if ((await readdir(path)).length === 0) return rm(path, { recursive: true });
  await rename(path, await freeAside(path));
}

/** A name beside a workspace for what is kept of it. */
export async function freeAside(path: string): Promise<string> {
  let number = 1;
  while (await exists(`${path}.aside-${number}`)) number += 1;
  return `${path}.aside-${number}`;
}

/** A large file that is nowhere to be had stays a pointer: its author can work on the branch. */
function unlessIncomplete(error: unknown): void {
  if (!(error instanceof OperationError) || error.code !== CHECKOUT_INCOMPLETE) throw error;
}

type Start = { head: Commit; note: CheckpointNote | undefined };

/**
 * The hub's branch, else the checkpoint, else `from`. A branch that went on after the checkpoint
 * wins over it: what the checkpoint held is older, and it stays on its own ref.
 */
async function startOf(context: GitContext, request: Request): Promise<Start> {
  if (request.upstream === true) await followUpstream(context, request.branch);
  const known = await resolve(context, `refs/heads/${request.branch}`);
  const note = await lastNoteOf(context, request);
  if (note === undefined) return { head: known ?? request.from, note: undefined };
  const saved = note.refs.get(`refs/heads/${request.branch}`) ?? note.head ?? request.from;
  const newer = known !== undefined && known !== saved && (await isAncestor(context, saved, known));
  return newer ? { head: known, note: undefined } : { head: saved, note };
}

async function lastNoteOf(
  context: GitContext,
  { checkpoint, identity, branch }: Request,
): Promise<CheckpointNote | undefined> {
  const last = identity === undefined ? undefined : await lastWhole(context, { identity, branch });
  return last ?? (checkpoint === undefined ? undefined : readNote(context, checkpoint));
}

async function fill(context: GitContext, request: Request, start: Start) {
  const { path, branch } = request;
  const targetAt = (await resolve(context, context.targetRef)) ?? request.from;
  const dir = await makeClone(context, path, targetAt);
  if (context.sparse.length > 0) await makeSparse(dir, context.sparse);
  await context.git({ args: ["update-ref", `refs/heads/${branch}`, start.head], dir });
  await context.git({ args: ["symbolic-ref", "HEAD", `refs/heads/${branch}`], dir });
  await context.crash("git.workspace.cloned");
  if (start.note === undefined) {
    await ensureLfs(context, start.head).catch(unlessIncomplete);
    await context.git({
      args: ["read-tree", "--reset", "-u", "-v", "HEAD"],
      dir,
      env: { GIT_WORK_TREE: path },
      settings: [["lfs.skipdownloaderrors", "true"]],
      what: `check out ${branch} in a new workspace`,
    });
  } else {
    const { note } = start;
    await overlayCheckpoint(context, path, { note, leftOut: await leftOutByCone(context, note) });
  }
  // An agent may have pinned a commit that it alone has: its branch is worked on all the same.
  const only = context.sparse.length === 0 ? {} : { only: coneOf(context.sparse) };
  const { head: commit } = start;
  await addSubmodules(context, { path, commit, history: true, lenient: true, ...only });
  await context.crash("git.workspace.checked-out");
  const base = (await mergeBase(context, start.head, request.from)) ?? request.from;
  return { base, head: start.head };
}
