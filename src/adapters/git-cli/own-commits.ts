// What a branch has of its own: the commits that what it is put on lacks. Looked up for all heads of a
// candidate at once, because each by itself costs two gits.
import { commitId, type Commit } from "../../core/ids.ts";
import type { CommitFacts } from "./commits.ts";
import { knownCommit, readCommits } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { mergeBase } from "./refs.ts";

export type Own = {
  /** Oldest first. */
  commits: CommitFacts[];
  /** Some were left out, because a head before this one brought them. */
  cut: boolean;
};

/** For every head in order: what neither `onto` nor the heads before it have. */
export async function ownOfAll(context: GitContext, onto: Commit, heads: Commit[]): Promise<Own[]> {
  const chains = await chainsOf(context, onto, heads);
  const found: CommitFacts[][] = [];
  for (const head of heads) {
    found.push(chains.get(head) ?? (await ownCommits(context, onto, head)));
  }
  const brought = new Set<Commit>();
  return found.map((all) => {
    const commits = all.filter(({ commit }) => !brought.has(commit));
    for (const { commit } of commits) brought.add(commit);
    return { commits, cut: commits.length < all.length };
  });
}

/**
 * Of all heads that are one chain of commits, in one git and one more per commit that they began at. By
 * the dates of commits git may take some of the target's own for a head's: those that are on the target
 * since the chain began are no part of it, and such a head is left to `ownCommits`.
 */
async function chainsOf(
  context: GitContext,
  onto: Commit,
  heads: Commit[],
): Promise<Map<Commit, CommitFacts[]>> {
  const listed = await readCommits(context, [...new Set(heads), `^${onto}`]);
  const byId = new Map(listed.map((commit) => [commit.commit, commit]));
  const chains = new Map<Commit, CommitFacts[]>();
  const byBase = new Map<Commit, Map<Commit, CommitFacts[]>>();
  for (const head of new Set(heads)) {
    const found = downFrom(byId, head);
    if (found === undefined) continue;
    if (found.chain.length === 0) {
      chains.set(head, []);
      continue;
    }
    const same = byBase.get(found.base) ?? new Map<Commit, CommitFacts[]>();
    byBase.set(found.base, same.set(head, found.chain));
  }
  for (const [base, same] of byBase) {
    if (base !== onto && byBase.size > BASES_MAX) continue;
    const since = new Set(base === onto ? [] : await idsSince(context, base, onto));
    for (const [head, chain] of same) {
      if (!chain.some(({ commit }) => since.has(commit))) chains.set(head, chain);
    }
  }
  return chains;
}

/** With more of them a look at each head by itself costs no more. */
const BASES_MAX = 8;

/** Down to the first commit that is not listed: what is below is on the target. */
function downFrom(
  byId: ReadonlyMap<Commit, CommitFacts>,
  head: Commit,
): { base: Commit; chain: CommitFacts[] } | undefined {
  const chain: CommitFacts[] = [];
  for (let at = head; ;) {
    const commit = byId.get(at);
    if (commit === undefined) return { base: at, chain };
    const [parent] = commit.parents;
    if (commit.parents.length !== 1 || parent === undefined) return undefined;
    chain.unshift(commit);
    at = parent;
  }
}

async function idsSince(context: GitContext, base: Commit, onto: Commit): Promise<Commit[]> {
  const line = lineTo(context, base, onto);
  if (line !== undefined) return line;
  const { stdout } = await context.inHub(["rev-list", onto, `^${base}`]);
  return stdout.split("\n").filter(Boolean).map(commitId);
}

/** The same without a git, where the target has grown since the base by single commits that are known. */
function lineTo(context: GitContext, base: Commit, onto: Commit): Commit[] | undefined {
  const line: Commit[] = [];
  for (let at = onto; at !== base;) {
    const [parent, ...others] = knownCommit(context, at)?.parents ?? [];
    if (parent === undefined || others.length > 0) return undefined;
    line.push(at);
    at = parent;
  }
  return line;
}

/**
 * Git cuts `onto..head` by the dates of commits, so that a clock that went wrong lets commits of the
 * target in (seen); where they parted is found without dates.
 */
export async function ownCommits(
  context: GitContext,
  onto: Commit,
  head: Commit,
): Promise<CommitFacts[]> {
  const [base, seen] = await Promise.all([
    mergeBase(context, onto, head),
    readCommits(context, [head, `^${onto}`]),
  ]);
  if (base === head) return [];
  if (base === undefined) return seen;
  const chain = chainTo(seen, { base, head });
  return chain ?? readCommits(context, [head, `^${onto}`, `^${base}`]);
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
