// Rebasing without a checkout: each commit of a branch is merged onto the tip with its own parent
// as the base. Author, date and message stay; what is already there is left out.
import type { Commit, Tree } from "../../core/ids.ts";
import type { CommitFacts } from "./commits.ts";
import { readCommit, readCommits, writeCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";
import type { MergeOutcome } from "./merge-tree.ts";
import { mergeTree } from "./merge-tree.ts";
import { mergeBase } from "./refs.ts";

/** Where a candidate stands while heads are put on it. */
export type Tip = { commit: Commit; tree: Tree; committedAtS: number };
export type Step = { kind: "clean"; tip: Tip } | { kind: "conflict"; files: string[] };

export async function tipOf(context: GitContext, commit: Commit): Promise<Tip> {
  const { tree, committedAtS } = await readCommit(context, commit);
  return { commit, tree, committedAtS };
}

export async function replay(
  context: GitContext,
  tip: Tip,
  request: { head: Commit; message: string },
): Promise<Step> {
  const { head } = request;
  const { commits, base } = await ownCommits(context, tip, head);
  const last = commits.at(-1);
  if (last === undefined) return { kind: "clean", tip };
  if (base === tip.commit) return { kind: "clean", tip: { ...last, commit: head } };
  const linear = commits.every((commit) => commit.parents.length === 1);
  const plain = commits.filter((commit) => commit.parents.length === 1);
  const step = await replayAll(context, tip, { commits: plain, linear });
  if (linear) return step;
  // A merge commit can hold a resolution that its parts do not have, so that the replayed parts
  // must give what a merge gives. Where they do not, the branch lands as one commit.
  const merged = await mergeTree(context, tip.commit, head);
  if (merged.kind === "conflict") return merged;
  if (step.kind === "clean" && step.tip.tree === merged.tree) return step;
  const author = plain.at(-1) ?? last;
  return putOn(context, tip, { ...author, message: request.message, tree: merged.tree });
}

/**
 * What a branch has that the tip lacks, oldest first, and where it left. Git cuts `tip..head` by the
 * dates of commits, so that a clock that went wrong lets commits of the tip in (seen); where they
 * parted is found without dates.
 */
export async function ownCommits(
  context: GitContext,
  tip: Tip,
  head: Commit,
): Promise<{ commits: CommitFacts[]; base: Commit | undefined }> {
  const [base, seen] = await Promise.all([
    mergeBase(context, tip.commit, head),
    readCommits(context, [head, `^${tip.commit}`]),
  ]);
  if (base === undefined || base === head) return { commits: base === head ? [] : seen, base };
  const chain = chainTo(seen, { base, head });
  return {
    commits: chain ?? (await readCommits(context, [head, `^${tip.commit}`, `^${base}`])),
    base,
  };
}

/** The commits from the base to the head, if they are one chain. */
function chainTo(
  seen: CommitFacts[],
  { base, head }: { base: Commit; head: Commit },
): CommitFacts[] | undefined {
  const byId = new Map(seen.map((commit) => [commit.commit, commit]));
  const chain: CommitFacts[] = [];
  for (let at = head; at !== base;) {
    const commit = byId.get(at);
    const [parent] = commit?.parents ?? [];
    if (commit?.parents.length !== 1 || parent === undefined) return undefined;
    chain.unshift(commit);
    at = parent;
  }
  return chain;
}

async function replayAll(
  context: GitContext,
  start: Tip,
  { commits, linear }: { commits: CommitFacts[]; linear: boolean },
): Promise<Step> {
  let tip = start;
  for (const [index, commit] of commits.entries()) {
    // What the first one of a chain stands on is in the tip, and is their base.
    const merged = await (index === 0 && linear
      ? mergeTree(context, tip.commit, commit.commit)
      : mergeOne(context, tip, commit));
    if (merged.kind === "conflict") return merged;
    const step = await putOn(context, tip, { ...commit, tree: merged.tree });
    tip = step.tip;
  }
  return { kind: "clean", tip };
}

/** git 2.39 has no --merge-base: a commit with the tip's tree and that parent has it as its base. */
async function mergeOne(context: GitContext, tip: Tip, commit: CommitFacts): Promise<MergeOutcome> {
  const stand = await writeCommit(context, {
    tree: tip.tree,
    parents: commit.parents,
    message: "stand-in for the tip while one commit is replayed\n",
    author: commit.author,
    authorDate: commit.authorDate,
    committedAtS: commit.committedAtS,
    unsigned: true,
  });
  return mergeTree(context, stand, commit.commit);
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
