// A program of the project's (`[merge_queue] resolve`) tries what merge-tree could not merge: text that
// both sides changed. It runs on files with marks in a scratch checkout, and what it leaves without a
// mark is remembered, so that the same merge gives the same commit after a crash.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { treeId, type Commit, type Tree } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { readConflict, type Conflicted, type ConflictedFile } from "./conflicted.ts";
import type { GitContext } from "./context.ts";
import { mergeTree, type MergeOutcome } from "./merge-tree.ts";
import { keepResult, keptResult } from "./resolved-files.ts";
import { solve } from "./run-resolver.ts";

type Resolver = string[] | undefined;
/** `resolved`: the files that the program merged; `why`: what it could not do. */
export type Merge =
  | (Extract<MergeOutcome, { kind: "clean" }> & { resolved?: string[] })
  | (Extract<MergeOutcome, { kind: "conflict" }> & { why?: string });

export async function mergeOrResolve(
  context: GitContext,
  { ours, theirs, resolve }: { ours: Commit; theirs: Commit; resolve: Resolver },
): Promise<Merge> {
  const merged = await mergeTree(context, ours, theirs);
  if (merged.kind === "clean" || resolve === undefined) return merged;
  // One at a time: the program may use all of the machine, and two could remember different results.
  return context.serial("resolve", async () => {
    const conflicted = await readConflict(context, ours, theirs);
    if (conflicted.kind === "other") return { ...merged, why: conflicted.why };
    const found = await resolved(context, conflicted, resolve);
    return "why" in found
      ? { ...merged, why: found.why }
      : { kind: "clean", tree: found.tree, resolved: conflicted.files.map(({ path }) => path) };
  });
}

async function resolved(
  context: GitContext,
  conflicted: Conflicted,
  resolve: string[],
): Promise<{ tree: Tree } | { why: string }> {
  await mkdir(context.privateDir, { recursive: true });
  const folder = await mkdtemp(join(context.privateDir, "resolve-"));
  try {
    const blobs = new Map<ConflictedFile, string>();
    const left: ConflictedFile[] = [];
    for (const file of conflicted.files) {
      const blob = await keptResult(context, { file, resolve });
      if (blob === undefined) left.push(file);
      else blobs.set(file, blob);
    }
    const made = await solve(context, { folder, tree: conflicted.tree, files: left, resolve });
    await context.crash("git.resolve.ran");
    for (const [file, bytes] of made) {
      blobs.set(file, await keepResult(context, { file, resolve, bytes }));
    }
    await context.crash("git.resolve.kept");
    return { tree: await treeWith(context, { folder, tree: conflicted.tree, blobs }) };
  } catch (error) {
    // Its author decides then, as without a resolver.
    if (error instanceof OperationError && error.code === "not-resolved") {
      return { why: error.message };
    }
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function treeWith(
  context: GitContext,
  made: { folder: string; tree: Tree; blobs: Map<ConflictedFile, string> },
): Promise<Tree> {
  const env = { GIT_INDEX_FILE: join(made.folder, "merged.index") };
  await context.inHub(["read-tree", made.tree], { env });
  const lines = [...made.blobs].map(([{ mode, path }, blob]) => `${mode} ${blob}\t${path}\0`);
  await context.inHub(["update-index", "-z", "--index-info"], { env, stdin: lines.join("") });
  return treeId((await context.inHub(["write-tree"], { env })).stdout);
}
