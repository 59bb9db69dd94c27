// Whether the work of a branch is on the target, whichever way it landed. Proofs, strongest first:
// ancestry; merging it would change nothing; the same patches are there. No proof is "no".
import type { Commit } from "../../core/ids.ts";
import { treeOf } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { mergeTree } from "./merge-tree.ts";
import { isAncestor, mergeBase } from "./refs.ts";

/** How far back on the target a squashed branch is looked for. */
const SQUASH_COMMITS_MAX = 500;
const PATCH_MAX_BYTES = 32 * 1024 * 1024;

type Request = { target: Commit; head: Commit; base?: Commit };

/**
 * A branch without a commit of its own is no contained work. Whether a head that is on the
 * target's own line was fast-forwarded there or never left it, only `base` can tell: without it
 * the answer is no.
 */
export async function contains(context: GitContext, request: Request): Promise<boolean> {
  const { target, head, base } = request;
  if (head === base) return false;
  if (await isAncestor(context, head, target)) {
    return base === undefined ? !(await isOnFirstParents(context, target, head)) : true;
  }
  const parted = await mergeBase(context, target, head);
  if (parted === undefined) return false;
  const [before, after, there] = await Promise.all([
    treeOf(context, parted),
    treeOf(context, head),
    treeOf(context, target),
  ]);
  if (before === after) return false;
  const merged = await mergeTree(context, target, head);
  if (merged.kind === "clean" && merged.tree === there) return true;
  return (await eachPatchIsThere(context, request)) || (await sumIsThere(context, request, parted));
}

async function isOnFirstParents(
  context: GitContext,
  target: Commit,
  head: Commit,
): Promise<boolean> {
  // The first-parent line down to the head's own parents: it ends in the head, or passes it by.
  const args = ["rev-list", "--first-parent", target, "--not", `${head}^@`];
  const result = await context.inHub(args);
  return result.stdout.split("\n").includes(head);
}

/** A rebase: for every commit there is one on the target with the same patch. */
async function eachPatchIsThere(context: GitContext, { target, head }: Request): Promise<boolean> {
  // A merge commit may hold work of its own, which `cherry` does not list.
  const merges = await context.inHub(["rev-list", "--count", "--merges", head, `^${target}`]);
  if (merges.stdout.trim() !== "0") return false;
  const lines = (await context.inHub(["cherry", target, head])).stdout.split("\n").filter(Boolean);
  return lines.length > 0 && lines.every((line) => line.startsWith("- "));
}

/** A squash: one commit on the target has the patch of the whole branch. */
async function sumIsThere(
  context: GitContext,
  { target, head }: Request,
  parted: Commit,
): Promise<boolean> {
  const limits = { maxBytes: PATCH_MAX_BYTES, overflow: "truncate" } as const;
  const sum = await context.inHub(["diff-tree", "-p", parted, head], limits);
  const log = [
    "log",
    "-p",
    "--first-parent",
    "-m",
    `-n${SQUASH_COMMITS_MAX}`,
    "--format=commit %H",
  ];
  const each = await context.inHub([...log, `${parted}..${target}`], limits);
  // What is cut could match by accident, or miss: neither is a proof.
  if (sum.truncated || each.truncated) return false;
  const [wanted] = await patchIds(context, sum.bytes);
  return wanted !== undefined && (await patchIds(context, each.bytes)).includes(wanted);
}

async function patchIds(context: GitContext, patches: Buffer): Promise<string[]> {
  const result = await context.inHub(["patch-id", "--stable"], { stdin: patches });
  return result.stdout.split("\n").flatMap((line) => line.split(" ")[0] || []);
}
