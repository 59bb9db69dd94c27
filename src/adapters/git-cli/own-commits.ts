// What a branch has of its own: the commits that what it is put on lacks. Looked up for all heads of a
// candidate side by side, because each costs two gits.
import type { Commit } from "../../core/ids.ts";
import type { CommitFacts } from "./commits.ts";
import { readCommits } from "./commits.ts";
import type { GitContext } from "./context.ts";
import { mergeBase } from "./refs.ts";

export type Own = {
  /** Oldest first. */
  commits: CommitFacts[];
  /** Some were left out, because a head before this one brought them. */
  cut: boolean;
};

const SIDE_BY_SIDE = 4;

/** For every head in order: what neither `onto` nor the heads before it have. */
export async function ownOfAll(context: GitContext, onto: Commit, heads: Commit[]): Promise<Own[]> {
  const found: CommitFacts[][] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < heads.length; index = next++) {
      const head = heads[index];
      if (head !== undefined) found[index] = await ownCommits(context, onto, head);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  const brought = new Set<Commit>();
  return found.map((all) => {
    const commits = all.filter(({ commit }) => !brought.has(commit));
    for (const { commit } of commits) brought.add(commit);
    return { commits, cut: commits.length < all.length };
  });
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
