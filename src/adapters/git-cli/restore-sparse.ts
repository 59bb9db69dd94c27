// What a checkpoint leaves out when it is restored in a sparse workspace: the paths that are as in its
// HEAD, so that nothing is missing.
import { listTree } from "./checkpoint-extra.ts";
import type { CheckpointNote } from "./checkpoint-note.ts";
import type { GitContext } from "./context.ts";
import { leftOutIn } from "./left-out.ts";
import { coneOf, isSparse, readPatterns, SPARSE, takePatterns } from "./sparse.ts";

/** Marks these paths of a repository's index as left out. */
export async function markLeftOut(
  context: GitContext,
  call: { dir: string; cwd: string; env: Record<string, string> },
  paths: string[],
): Promise<void> {
  if (paths.length === 0) return;
  const stdin = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
  const args = ["update-index", "-z", "--skip-worktree", "--stdin"];
  await context.git({ args, ...call, settings: SPARSE, stdin });
}

/**
 * What a restored checkpoint leaves out: paths that `mayLack` names and that the checkpoint has as its
 * HEAD has them.
 */
export async function leftOutOf(
  context: GitContext,
  note: CheckpointNote,
  mayLack: (path: string) => boolean,
): Promise<string[]> {
  if (note.head === undefined) return [];
  const [head, tree] = await Promise.all([
    listTree(context, note.head),
    listTree(context, note.tree),
  ]);
  const saved = new Map(tree.map(({ path, mode, id }) => [path, `${mode} ${id}`]));
  const isSame = ({ path, mode, id }: (typeof head)[number]): boolean =>
    mode === "160000" ? !note.nested.has(path) : saved.get(path) === `${mode} ${id}`;
  return head.filter((entry) => mayLack(entry.path) && isSame(entry)).map(({ path }) => path);
}

/** By the configuration of the project. */
export async function leftOutByCone(context: GitContext, note: CheckpointNote): Promise<string[]> {
  if (context.sparse.length === 0) return [];
  const isInside = coneOf(context.sparse);
  return leftOutOf(context, note, (path) => !isInside(path));
}

/**
 * How a workspace that is sparse now stays so when a checkpoint is put back into it: what is left out
 * then, what is left out now and must be written, and the patterns for its new repository.
 */
export async function sparseNow(
  context: GitContext,
  workspace: string,
  note: CheckpointNote,
): Promise<
  { leftOut: string[]; missing: Set<string>; takeOver: (dir: string) => Promise<void> } | undefined
> {
  if (!(await isSparse(workspace))) return undefined;
  const place = { path: workspace, key: workspace };
  const now = await leftOutIn(context, place, { env: { GIT_DIR: context.hub } });
  const leftOut = await leftOutOf(context, note, (path) => now?.has(path) === true);
  const still = new Set(leftOut);
  const missing = new Set([...(now?.keys() ?? [])].filter((path) => !still.has(path)));
  // Read before its repository is replaced.
  const patterns = await readPatterns(workspace);
  return { leftOut, missing, takeOver: (dir) => takePatterns(dir, patterns) };
}
