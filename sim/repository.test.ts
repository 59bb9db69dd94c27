import { expect, test } from "vitest";
import type { Commit } from "../src/core/ids.ts";
import { createPrng } from "../src/lib/prng.ts";
import { Repository } from "./repository.ts";

/** By looking at everything, which is slow and simple. */
function ancestors(repository: Repository, commit: Commit): Set<Commit> {
  const seen = new Set([commit]);
  for (const one of seen) for (const parent of repository.parents(one)) seen.add(parent);
  return seen;
}

test("merge bases and distances are those of the whole histories, for every shape", () => {
  const prng = createPrng(7);
  const repository = new Repository();
  const tree = repository.tree(new Map([["a", "1"]]));
  const commits = [repository.commit({ tree, parents: [], message: "begin" })];
  while (commits.length < 60) {
    const parents = [...new Set([prng.pick(commits.slice(-8)), prng.pick(commits.slice(-8))])];
    commits.push(repository.commit({ tree, parents, message: "work" }));
  }
  const number = (commit: Commit): number => commits.indexOf(commit);
  for (const a of commits) {
    for (const b of commits) {
      const [ofA, ofB] = [ancestors(repository, a), ancestors(repository, b)];
      const common = [...ofA].filter((commit) => ofB.has(commit));
      expect(number(repository.mergeBase(a, b))).toBe(Math.max(...common.map(number)));
      expect(repository.ahead(a, b)).toBe(ofA.size - common.length);
    }
  }
});
