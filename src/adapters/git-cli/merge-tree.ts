// Merging in memory, in the bare hub, where no file of any checkout has a say.
// Exit 0 is clean, 1 with a tree is a conflict, everything else is an error: git also exits with 1
// for a commit it does not know.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Commit, Tree } from "../../core/ids.ts";
import { treeId } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { GitContext } from "./context.ts";
import { mergeBase, resolve } from "./refs.ts";
import { mayConflict, touchedBy } from "./touched-paths.ts";

export type MergeOutcome = { kind: "clean"; tree: Tree } | { kind: "conflict"; files: string[] };

/** What a head without common history with the target conflicts in. */
const NO_COMMON_HISTORY = "everything: it has no common history with the target";
const FILES_MAX = 200;
const TREE = /^[0-9a-f]{40,64}$/;

export async function mergeTree(
  context: GitContext,
  ours: Commit,
  theirs: Commit,
): Promise<MergeOutcome> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs];
  const what = `merge ${theirs} into ${ours}`;
  let result;
  try {
    result = await context.inHub(args, { expect: [0, 1], what });
  } catch (error) {
    const isApart = (await withoutHistory(context, ours, [theirs])).length > 0;
    if (isApart) return { kind: "conflict", files: [NO_COMMON_HISTORY] };
    throw error;
  }
  const [tree = "", ...rest] = result.bytes.toString("utf8").split("\0");
  if (!TREE.test(tree)) {
    throw new OperationError(`cannot merge ${theirs} into ${ours}: ${result.stderr}`, {
      code: "merge-failed",
    });
  }
  if (result.exitCode === 0) return { kind: "clean", tree: treeId(tree) };
  return { kind: "conflict", files: namesOf(rest) };
}

const namesOf = (fields: string[]): string[] =>
  [...new Set(fields.filter((name) => name !== ""))].slice(0, FILES_MAX);

type Pair = { a: Commit; b: Commit };
export type Conflict = Pair & { files: string[] };

type Heads = { target: Commit; fresh: Commit[]; others: Commit[] };

/**
 * The pairs that conflict, each head with the target first. A head without common history, which git
 * merges with nothing, conflicts with the target, and keeps the others from nothing.
 */
export async function conflicts(context: GitContext, request: Heads): Promise<Conflict[]> {
  const heads = [...new Set([...request.fresh, ...request.others])];
  if (heads.length === 0) return [];
  try {
    return await conflictsAmong(context, request, heads);
  } catch (error) {
    const apart = await withoutHistory(context, request.target, heads);
    if (apart.length === 0) throw error;
    const isNear = (head: Commit): boolean => !apart.includes(head);
    const { target, fresh, others } = request;
    const near = { target, fresh: fresh.filter(isNear), others: others.filter(isNear) };
    const found = apart.map((b) => ({ a: target, b, files: [NO_COMMON_HISTORY] }));
    return [...found, ...(await conflicts(context, near))];
  }
}

/** Of those that are there: one that git does not know is another failure. */
async function withoutHistory(
  context: GitContext,
  target: Commit,
  heads: Commit[],
): Promise<Commit[]> {
  const apart: Commit[] = [];
  for (const head of heads) {
    const isThere = (await resolve(context, head)) !== undefined;
    if (isThere && (await mergeBase(context, target, head)) === undefined) apart.push(head);
  }
  return apart;
}

async function conflictsAmong(
  context: GitContext,
  request: Heads,
  heads: Commit[],
): Promise<Conflict[]> {
  const pairs = pairsOf(request);
  const withTarget = pairs.filter(({ a }) => a === request.target);
  const [found, touched] = await Promise.all([
    mergeAll(context, withTarget),
    request.fresh.length === 0 ? undefined : touchedBy(context, request.target, heads),
  ]);
  const others = pairs.filter(
    ({ a, b }) => a !== request.target && mayConflict(touched?.get(a), touched?.get(b)),
  );
  return [...found, ...(await mergeAll(context, others))];
}

/** One process, nothing left behind. */
async function mergeAll(context: GitContext, pairs: Pair[]): Promise<Conflict[]> {
  if (pairs.length === 0) return [];
  // This makes thousands of trees that are not needed later: they go to a temporary folder.
  await mkdir(context.privateDir, { recursive: true });
  const quarantine = await mkdtemp(join(context.privateDir, "quarantine-"));
  try {
    const result = await context.inHub(
      ["merge-tree", "--write-tree", "--stdin", "--name-only", "--no-messages"],
      {
        stdin: pairs.map(({ a, b }) => `${a} ${b}\n`).join(""),
        env: {
          GIT_OBJECT_DIRECTORY: quarantine,
          GIT_ALTERNATE_OBJECT_DIRECTORIES: join(context.hub, "objects"),
        },
        settings: [["core.fsync", "none"]],
        what: "predict conflicts",
      },
    );
    return parseBatch(result.bytes.toString("utf8"), pairs);
  } finally {
    await rm(quarantine, { recursive: true, force: true });
  }
}

/** Fresh heads come first, so that each meets every head behind it exactly once. */
export function pairsOf({ target, fresh, others }: Heads): Pair[] {
  const firsts = new Set(fresh);
  const unique = [...new Set([...fresh, ...others])];
  const withTarget = unique.map((head) => ({ a: target, b: head }));
  const among = unique
    .slice(0, firsts.size)
    .flatMap((a, index) => unique.slice(index + 1).map((b) => ({ a, b })));
  return [...withTarget, ...among];
}

/** Per merge: status, tree, file names, and an empty field that ends it. */
export function parseBatch(text: string, pairs: Pair[]): Conflict[] {
  const fields = text.split("\0");
  const found: Conflict[] = [];
  let at = 0;
  for (const pair of pairs) {
    const end = fields.indexOf("", at + 2);
    const [status, tree = ""] = fields.slice(at, at + 2);
    if (end === -1 || !TREE.test(tree) || (status !== "0" && status !== "1")) {
      throw new OperationError(`cannot predict conflicts: no answer for ${pair.a} and ${pair.b}`, {
        code: "merge-failed",
      });
    }
    if (status === "0") found.push({ ...pair, files: namesOf(fields.slice(at + 2, end)) });
    at = end + 1;
  }
  return found;
}
