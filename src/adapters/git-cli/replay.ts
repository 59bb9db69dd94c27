// Rebasing without a checkout: each commit of a branch is merged onto the tip with its own parent
// as the base. Author, date and message stay; what is already there is left out.
import type { Commit, Tree } from "../../core/ids.ts";
import { resolverName } from "../../core/merge-queue/resolver.ts";
import type { CommitFacts } from "./commits.ts";
import { knownCommit, readCommit, writeCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { withTrailer } from "./message.ts";
import type { Own } from "./own-commits.ts";
import { isAncestor } from "./refs.ts";
import { mergeOrResolve, type Merge } from "./resolve.ts";

/** Where a candidate stands while heads are put on it. */
export type Tip = { commit: Commit; tree: Tree; committedAtS: number };
/** A head with what is its own, and the program that may resolve its conflicts. */
export type Work = { head: Commit; message: string; own: Own; resolve: string[] | undefined };
/** `resolved`: the files in which a conflict was; `why`: what the resolver could not do. */
export type Step =
  | { kind: "clean"; tip: Tip; resolved?: string[] }
  | { kind: "conflict"; files: string[]; why?: string };

export async function tipOf(context: GitContext, commit: Commit): Promise<Tip> {
  const { tree, committedAtS } =
    knownCommit(context, commit) ?? (await readCommit(context, commit));
  return { commit, tree, committedAtS };
}

export async function replay(context: GitContext, tip: Tip, request: Work): Promise<Step> {
  const { head, own, resolve } = request;
  const { commits } = own;
  const last = commits.at(-1);
  if (last === undefined) return { kind: "clean", tip };
  const linear = commits.every((commit) => commit.parents.length === 1);
  const isForward = linear
    ? commits[0]?.parents[0] === tip.commit
    : await isAncestor(context, tip.commit, head);
  if (isForward) return { kind: "clean", tip: { ...last, commit: head } };
  const plain = commits.filter((commit) => commit.parents.length === 1);
  const step = await replayAll(context, tip, {
    commits: plain,
    onTarget: linear && !own.cut,
    resolve,
  });
  if (linear) return step;
  // A merge commit can hold a resolution that its parts do not have, so that the replayed parts
  // must give what a merge gives. Where they do not, the branch lands as one commit.
  const merged = await mergeOrResolve(context, { ours: tip.commit, theirs: head, resolve });
  if (merged.kind === "conflict") return merged;
  if (step.kind === "clean" && step.tip.tree === merged.tree) return step;
  const author = plain.at(-1) ?? last;
  const message = saidOf(request.message, merged, resolve);
  return {
    ...(await putOn(context, tip, { ...author, message, tree: merged.tree })),
    ...resolvedIn(merged),
  };
}

type Clean = Extract<Merge, { kind: "clean" }>;

/** The message, which says so where a program resolved a conflict. */
export const saidOf = (message: string, { resolved }: Clean, resolve: string[] = []): string =>
  resolved === undefined ? message : withTrailer(message, `Resolved-by: ${resolverName(resolve)}`);

export const resolvedIn = ({ resolved }: Clean): { resolved?: string[] } =>
  resolved === undefined ? {} : { resolved };

async function replayAll(
  context: GitContext,
  start: Tip,
  work: { commits: CommitFacts[]; onTarget: boolean; resolve: string[] | undefined },
): Promise<Step> {
  const { commits, onTarget, resolve } = work;
  const resolved = new Set<string>();
  let tip = start;
  for (const [index, commit] of commits.entries()) {
    // What the first one of a chain stands on is in the tip, and is their base.
    const merged = await (index === 0 && onTarget
      ? mergeOrResolve(context, { ours: tip.commit, theirs: commit.commit, resolve })
      : mergeSince(context, tip, { first: commit, head: commit.commit, resolve }));
    if (merged.kind === "conflict") return merged;
    const message = saidOf(commit.message, merged, resolve);
    const step = await putOn(context, tip, { ...commit, message, tree: merged.tree });
    for (const file of merged.resolved ?? []) resolved.add(file);
    tip = step.tip;
  }
  return { kind: "clean", tip, ...(resolved.size === 0 ? {} : { resolved: [...resolved] }) };
}

/**
 * Merges everything from `first` to `head` into the tip, and nothing before it. git 2.39 has no
 * --merge-base: a commit with the tip's tree and that parent has it as its base.
 */
export async function mergeSince(
  context: GitContext,
  tip: Tip,
  work: { first: CommitFacts; head: Commit; resolve: string[] | undefined },
): Promise<Merge> {
  const { first: commit, head, resolve } = work;
  const stand = await writeCommit(context, {
    tree: tip.tree,
    parents: commit.parents,
    message: "stand-in for the tip while one commit is replayed\n",
    author: commit.author,
    authorDate: commit.authorDate,
    committedAtS: commit.committedAtS,
    unsigned: true,
  });
  return mergeOrResolve(context, { ours: stand, theirs: head, resolve });
}

async function putOn(
  context: GitContext,
  tip: Tip,
  content: Pick<CommitFacts, "tree" | "author" | "authorDate" | "committedAtS" | "message">,
): Promise<{ kind: "clean"; tip: Tip }> {
  if (content.tree === tip.tree) return { kind: "clean", tip };
  // Never earlier than what it stands on, and never from the clock: repeated, it is the same commit.
  const committedAtS = Math.max(tip.committedAtS, content.committedAtS);
  const { tree, author, authorDate, message } = content;
  const parents = [tip.commit];
  const commit = await writeCommit(context, {
    tree,
    parents,
    message,
    author,
    authorDate,
    committedAtS,
  });
  return { kind: "clean", tip: { commit, tree, committedAtS } };
}
