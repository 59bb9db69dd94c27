// The adapter against the fake Gitea, which is kept honest by the same contract on the real one.
import { expect, test } from "vitest";
import { createGiteaForge } from "../../src/adapters/forge-gitea/gitea-forge.ts";
import { createForgeVerdicts } from "../../src/adapters/ci-server/forge-verdicts.ts";
import { treeId } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { ciServerContract } from "../../src/ports/ci-server.contract.ts";
import { forgeContract } from "../../src/ports/forge.contract.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { bareRepository, type BareRepository } from "../support/bare-repository.ts";
import {
  DEV_TOKEN,
  REVIEW_TOKEN,
  STRANGER_TOKEN,
  startFakeGitea,
  type FakeGitea,
} from "../support/fake-gitea/server.ts";
import { strangerAt } from "../support/forge-stranger.ts";
import { serverCiUnderTest } from "../support/server-ci-under-test.ts";

type World = { repository: BareRepository; fake: FakeGitea };

async function openWorld(): Promise<World> {
  const repository = bareRepository();
  const fake = await startFakeGitea(repository.path);
  repository.commit("main");
  return { repository, fake };
}

const forgeOf = (
  { fake }: World,
  more: Partial<Parameters<typeof createGiteaForge>[0]> = {},
): Forge =>
  createGiteaForge({
    url: fake.url,
    owner: "team",
    repo: "project",
    token: { value: DEV_TOKEN, name: "FORGE_TOKEN" },
    reviewToken: { value: REVIEW_TOKEN, name: "FORGE_REVIEW_TOKEN" },
    secrets: [DEV_TOKEN, REVIEW_TOKEN],
    factory: async () => ({ id: "f1", home: "h1" }),
    now: () => Date.now(),
    wait: () => Promise.resolve(),
    crash: noCrash,
    ...more,
  });

async function close({ repository, fake }: World): Promise<void> {
  await fake.close();
  repository.remove();
}

function contractOn(name: string, more: Partial<Parameters<typeof createGiteaForge>[0]>): void {
  forgeContract(name, async () => {
    const world = await openWorld();
    return {
      forge: forgeOf(world, more),
      push: async (branch) => world.repository.commit(branch),
      land: async (head) => void world.repository.git("update-ref", "refs/heads/main", head),
      stranger: strangerAt({
        repo: `${world.fake.url}/api/v1/repos/team/project`,
        authorization: `token ${STRANGER_TOKEN}`,
        login: "stranger",
        approval: "APPROVED",
        labelsById: true,
        fork: async (branch) => void world.repository.fork("stranger", branch),
      }),
      sibling: (marks) => forgeOf(world, { ...more, factory: async () => marks }),
      close: () => close(world),
    };
  });
}

contractOn("the Gitea adapter on a fake", {});
contractOn("the Gitea adapter with one account", { reviewToken: undefined });

ciServerContract("statuses of the fake Gitea, as a CI server,", async () => {
  const world = await openWorld();
  const forge = forgeOf(world);
  const contexts = ["ci/lint", "ci/test"];
  const verdicts = createForgeVerdicts({ forge, target: "main", contexts, now: () => Date.now() });
  const { server, pass, stop } = serverCiUnderTest(verdicts);
  let commits = 0;
  return {
    server,
    contexts,
    async commit() {
      commits += 1;
      const commit = world.repository.commit(`checked-${commits}`);
      return { commit, tree: treeId(commit) };
    },
    async report(commit, { context, state }) {
      const shown = state === "success" || state === "failure" ? state : "pending";
      await forge.setStatus(commit, { context, state: shown, description: state, url: undefined });
    },
    pass,
    async close() {
      stop();
      await close(world);
    },
  };
});

test("a forge's merge is asked for only where it cannot put on the target what was not tested", async () => {
  const world = await openWorld();
  const { state } = world.fake;
  try {
    const forge = forgeOf(world);
    const may = () => forge.mayMerge?.("main", "merge");
    expect(await may()).toEqual({ kind: "allowed" });
    state.styles.delete("fast-forward-only");
    expect(await may()).toMatchObject({
      kind: "refused",
      hint: expect.stringMatching(/Fast-forward only/),
    });
    // Only an administrator can see that PRs which are behind are blocked.
    Object.assign(state.rule, { readable: true, blockOutdated: true });
    expect(await may()).toEqual({ kind: "allowed" });
    state.styles.delete("merge");
    expect(await may()).toMatchObject({ kind: "refused" });
    state.rule.merge = false;
    expect(await may()).toMatchObject({ why: "pawl-dev may not merge into main either" });
  } finally {
    await close(world);
  }
});

test("a PR that fell behind is not merged, and one that lacks a check is waited for", async () => {
  const world = await openWorld();
  const { state } = world.fake;
  try {
    const forge = forgeOf(world);
    const head = world.repository.commit("pawl/1");
    const of = { branch: "pawl/1", head, target: "main", title: "t", body: "", issue: 1, key: "k" };
    const { number: pr } = await forge.ensurePr(of);
    const merge = () => forge.mergePr?.({ pr, head, strategy: "merge" });
    state.required = ["ci/test"];
    expect(await merge()).toMatchObject({
      kind: "waiting",
      why: expect.stringMatching(/required status/),
    });
    state.required = [];
    world.repository.commit("main");
    expect(await merge()).toMatchObject({
      kind: "waiting",
      why: expect.stringMatching(/Diverging/),
    });
    expect(await forge.pr(pr)).toMatchObject({ state: "open" });
  } finally {
    await close(world);
  }
});

test.each(["renamed", "moved"] as const)(
  "of a repository that is %s nothing is concluded: every call is to be tried again",
  async (fault) => {
    const world = await openWorld();
    try {
      const forge = forgeOf(world);
      const of = { title: "a", body: "", labels: ["backlog"], author: "ann" };
      const issue = await forge.createIssue({ ...of, key: "a" });
      const head = world.repository.commit("pawl/1");
      const pr = { branch: "pawl/1", head, target: "main", title: "t", body: "", issue: 1 };
      const { number } = await forge.ensurePr({ ...pr, key: "k" });
      await forge.account();
      world.fake.fail(fault);
      const comment = { body: "x", author: "pawl", key: "c" };
      const review = { head, verdict: "approve", body: "", author: "a", key: "r" } as const;
      const calls: [string, () => Promise<unknown>][] = [
        ["issues", () => forge.issues({ state: "open" })],
        ["issue", () => forge.issue(issue.number)],
        ["createIssue", () => forge.createIssue({ ...of, key: "b" })],
        ["editIssue", () => forge.editIssue(issue.number, { state: "closed" })],
        ["claim", () => forge.claim(issue.number, "run 1.1")],
        ["claimOf", () => forge.claimOf(issue.number)],
        ["comments", () => forge.comments(issue.number)],
        ["comment", () => forge.comment({ ...comment, issue: issue.number })],
        ["pr", () => forge.pr(number)],
        ["ensurePr", () => forge.ensurePr({ ...pr, key: "k" })],
        ["finishPr", () => forge.finishPr(number, { state: "closed" })],
        ["mergePr", async () => forge.mergePr?.({ pr: number, head, strategy: "merge" })],
        ["reviews", () => forge.reviews(number)],
        ["review", () => forge.review({ ...review, pr: number })],
        ["statuses", () => forge.statuses(head)],
        ["requiredContexts", async () => forge.requiredContexts?.("main")],
      ];
      for (const [name, call] of calls) {
        await expect(call(), name).rejects.toMatchObject({ retryable: true });
      }
      world.fake.fail(undefined);
      expect(await forge.issue(9_999)).toBeUndefined();
      expect(await forge.issue(issue.number)).toMatchObject({ state: "open" });
    } finally {
      await close(world);
    }
  },
);

test("what the protection of the target requires is read from the branch", async () => {
  const world = await openWorld();
  try {
    const forge = forgeOf(world);
    expect(await forge.requiredContexts?.("main")).toEqual([]);
    world.fake.state.required = ["ci/*"];
    expect(await forge.requiredContexts?.("main")).toEqual(["ci/*"]);
    expect(await forge.requiredContexts?.("nowhere")).toEqual([]);
  } finally {
    await close(world);
  }
});
