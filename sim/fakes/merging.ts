// The forge of a simulated project merges PRs where no account may push to the target: only what stands on
// its tip, at the head that is meant, by a commit of its own.
import type { Forge, MergeOutcome } from "../../src/ports/forge.ts";
import type { Life } from "../life.ts";
import type { SimProject } from "../world.ts";

type Merging = Pick<Forge, "mayMerge" | "mergePr">;

export function merging(life: Life, project: SimProject): Merging {
  const { remote, forgeMerges } = life.world.options;
  if (!remote || forgeMerges !== true) return {};
  return {
    mayMerge: async () => ({ kind: "allowed" }),
    mergePr: (input) => mergePr(life, project, input),
  };
}

async function mergePr(
  life: Life,
  project: SimProject,
  input: Parameters<NonNullable<Forge["mergePr"]>>[0],
): Promise<MergeOutcome> {
  const { repository, forge } = project;
  const pr = forge.prByNumber.get(input.pr);
  if (pr?.state === "merged" && pr.mergedAs !== undefined && pr.head === input.head) {
    return { kind: "merged", commit: pr.mergedAs };
  }
  const head = pr && project.upstreamBranches.get(pr.branch);
  if (pr?.state !== "open" || head !== input.head) {
    return { kind: "refused", why: "the PR is not at this head", hint: "look at it" };
  }
  const { target } = project;
  if (!repository.isAncestor(target, head)) return { kind: "waiting", why: "the PR is behind" };
  const parents = input.strategy === "merge" ? [target, head] : [target];
  const tree = repository.treeOf(head);
  const commit = repository.commit({ tree, parents, message: `merge #${pr.number}` });
  const heads = project.madeOf.get(head)?.heads ?? [head];
  project.madeOf.set(commit, { below: target, heads: [...heads] });
  forge.mergeAt(pr.number, { head, mergedAs: commit });
  life.world.moveTarget(project, commit, "pawl");
  await life.pass("forge.mergePr:merged");
  return { kind: "merged", commit };
}
