import { expect, test } from "vitest";
import { commitId, projectName } from "../../core/ids.ts";
import type { LandingOutcome } from "../../core/merge-queue/entry.ts";
import type { Pr } from "../../ports/forge.ts";
import type { EffectContext, EffectOf } from "./executor.ts";
import { landByForge } from "./land-by-forge.ts";

const BRANCH = "pawl/2-paint";
const [OLD, HEAD, CANDIDATE, TARGET] = ["old", "head", "cand", "target"].map(commitId) as [
  ReturnType<typeof commitId>,
  ReturnType<typeof commitId>,
  ReturnType<typeof commitId>,
  ReturnType<typeof commitId>,
];
const EFFECT = {
  kind: "land",
  ref: "r",
  candidate: CANDIDATE,
  expected: TARGET,
  strategy: "merge",
  prs: [{ pr: 11, branch: BRANCH, head: HEAD }],
} as unknown as EffectOf<"land">;
const REFUSED = { kind: "rejected", why: "protected", hint: "h" } as const;

const pr = (number: number, change: Partial<Pr>): Pr => ({
  number,
  title: "Paint",
  body: "Fixes #2",
  branch: BRANCH,
  head: HEAD,
  target: "main",
  issue: 2,
  state: "open",
  mergedAs: undefined,
  createdAt: 0,
  updatedAt: 0,
  ...change,
});

/** PR 11 was merged with an earlier head, while the agent committed more. */
function land(prs: Pr[], target = TARGET): { outcome: Promise<LandingOutcome>; merged: number[] } {
  const merged: number[] = [];
  const forge = {
    mayMerge: async () => ({ kind: "allowed" }),
    mergePr: async ({ pr: number }: { pr: number }) => {
      merged.push(number);
      return { kind: "merged", commit: commitId("landed") };
    },
    pr: async (number: number) => prs.find((one) => one.number === number),
    prsOf: async () => prs,
    ensurePr: async () => pr(12, {}),
    setStatus: async () => undefined,
  };
  const git = {
    fetchTarget: async () => target,
    pushBranch: async () => ({ kind: "pushed" }),
    deleteBranch: async () => undefined,
    treeOf: async () => "tree",
  };
  const state = { kind: "project", config: { target: "main" } };
  const context = {
    key: "k",
    project: projectName("toy"),
    own: { forge, git },
    store: { aggregates: async () => [{ state }] },
  } as unknown as EffectContext;
  return { outcome: landByForge(EFFECT, REFUSED, context), merged };
}

const EARLIER = pr(11, { state: "merged", head: OLD, mergedAs: TARGET });

test("commits that came after their PR was merged land with a PR of their own", async () => {
  const { outcome, merged } = land([EARLIER]);
  expect(await outcome).toMatchObject({ kind: "landed", commit: "landed" });
  expect(merged).toEqual([12]);
});

test("that second PR, merged before a crash, is found and not merged again", async () => {
  const second = pr(12, { state: "merged", head: CANDIDATE, mergedAs: commitId("by-forge") });
  const { outcome, merged } = land([EARLIER, second], commitId("by-forge"));
  expect(await outcome).toMatchObject({ kind: "landed", commit: "by-forge" });
  expect(merged).toEqual([]);
});

test("a target that really moved is reported with its new commit", async () => {
  const { outcome } = land([EARLIER], commitId("other"));
  expect(await outcome).toEqual({ kind: "target-moved", target: "other" });
});
