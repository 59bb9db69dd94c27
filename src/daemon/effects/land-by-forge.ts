// Landing where upstream refuses the push: the forge is asked to merge the PR, after its branch was
// brought to exactly the tested commit, which stands on the target's tip. Only where the forge's own
// rules refuse a PR that is behind, one PR at a time, and what is on the target afterwards is looked
// at. Carrying it out again after a crash finds what was merged.
import type { Commit } from "../../core/ids.ts";
import type { LandingOutcome } from "../../core/merge-queue/entry.ts";
import type { Forge, MergeOutcome } from "../../ports/forge.ts";
import { currentProject, type EffectContext, type EffectOf } from "./executor.ts";

type Refused = Extract<LandingOutcome, { kind: "rejected" }>;
type Merging = {
  pr: number;
  branch: string;
  head: Commit;
  candidate: Commit;
  expected: Commit;
};
type MergingForge = Forge & Required<Pick<Forge, "mayMerge" | "mergePr">>;

const canMerge = (forge: Forge): forge is MergingForge =>
  forge.mayMerge !== undefined && forge.mergePr !== undefined;

export async function landByForge(
  effect: EffectOf<"land">,
  refused: Refused,
  context: EffectContext,
): Promise<LandingOutcome> {
  const { forge } = context.own;
  const { candidate, expected, prs = [], strategy } = effect;
  const [first, ...others] = prs;
  if (first === undefined || strategy === undefined || !canMerge(forge)) return refused;
  const target = (await currentProject(context)).config?.target;
  if (target === undefined) return refused;
  const may = await forge.mayMerge(target, strategy);
  if (may.kind === "refused") {
    return { kind: "rejected", why: `${refused.why}; ${may.why}`, hint: may.hint };
  }
  if (others.length > 0) return { kind: "one-by-one", why: refused.why };
  const { pr, branch, head } = first;
  if (pr === undefined) return { ...refused, hint: `open a PR for ${branch} and merge it` };
  const merging = { pr, branch, head, candidate, expected };
  const before = await mergedBefore(merging, context);
  if (before !== undefined) return before;
  const pushed = await context.own.git.pushBranch({ branch, head: candidate });
  if (pushed.kind === "overtaken") return pushed;
  await sayPassed(candidate, context);
  const open = await openPr(merging, context);
  const outcome = await forge.mergePr({ pr: open, head: candidate, strategy });
  return outcome.kind === "merged"
    ? landed(merging, outcome.commit, context)
    : notMerged(merging, outcome, context);
}

/** Whether it was this landing, its answer lost, that moved the target: to a commit of the forge's. */
export async function landedBefore(
  { candidate, expected, prs = [] }: EffectOf<"land">,
  context: EffectContext,
): Promise<LandingOutcome | undefined> {
  const [first, ...others] = prs;
  if (first?.pr === undefined || others.length > 0 || !canMerge(context.own.forge)) {
    return undefined;
  }
  const { pr, branch, head } = first;
  return mergedBefore({ pr, branch, head, candidate, expected }, context);
}

/** Before a crash, or by a person's hand. */
async function mergedBefore(
  merging: Merging,
  context: EffectContext,
): Promise<LandingOutcome | undefined> {
  const { forge, git } = context.own;
  const { branch, candidate, expected } = merging;
  const known = await forge.pr(merging.pr);
  if (known?.state !== "merged") return undefined;
  const later = known.issue === undefined ? [] : await forge.prsOf(known.issue);
  const own = [known, ...later.filter((pr) => pr.branch === branch)];
  const mergedAs = own.find(({ head, mergedAs: by }) => head === candidate && by)?.mergedAs;
  if (mergedAs !== undefined) return landed(merging, mergedAs, context);
  const target = await git.fetchTarget();
  return target === expected ? undefined : { kind: "target-moved", target };
}

/**
 * The PR to merge. One that was merged with an earlier head, while the agent committed more, cannot
 * be merged a second time: the newer commits get a PR of their own.
 */
async function openPr({ pr, branch, candidate }: Merging, context: EffectContext): Promise<number> {
  const { forge } = context.own;
  const known = await forge.pr(pr);
  if (known?.state !== "merged") return pr;
  const { title, body, target, issue } = known;
  const said = { branch, head: candidate, title, body, target, issue };
  return (await forge.ensurePr({ ...said, key: `${context.key}:pr` })).number;
}

/** Its exact tree passed: that is why it is landed. A rule that wants to read so can. */
const sayPassed = (commit: Commit, { own }: EffectContext): Promise<void> =>
  own.forge.setStatus(commit, {
    context: "pawl/ci",
    state: "success",
    description: "passed on exactly this commit",
    url: undefined,
  });

async function landed(
  { branch, head, candidate }: Merging,
  commit: Commit,
  { own }: EffectContext,
): Promise<LandingOutcome> {
  await own.git.fetchTarget();
  const [wanted, found] = await Promise.all([own.git.treeOf(candidate), own.git.treeOf(commit)]);
  // A branch that still is at the run's own head goes with the run.
  if (candidate !== head) await own.git.deleteBranch({ branch, head: candidate });
  if (wanted === found) return { kind: "landed", commit, by: "forge" };
  const untested = `${commit.slice(0, 10)} does not have the tree of ${candidate.slice(0, 10)}`;
  return { kind: "landed", commit, by: "forge", untested };
}

async function notMerged(
  { candidate, expected }: Merging,
  outcome: Exclude<MergeOutcome, { kind: "merged" }>,
  { own }: EffectContext,
): Promise<LandingOutcome> {
  const target = await own.git.fetchTarget();
  if (target !== expected) return { kind: "target-moved", target };
  if (outcome.kind === "refused") {
    return {
      kind: "rejected",
      why: `the forge did not merge it: ${outcome.why}`,
      hint: outcome.hint,
    };
  }
  const said = await own.forge.statuses(candidate);
  const red = said.find(({ state }) => state === "failure" || state === "error");
  if (red === undefined) return { kind: "waiting", why: outcome.why };
  return {
    kind: "rejected",
    why: `the forge does not merge ${candidate.slice(0, 10)}: its check ${red.context} is red`,
    hint: "look at that check on the forge, then run `pawl merge-queue resume`",
  };
}
