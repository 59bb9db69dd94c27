// The adapter against the fake Gitea, which is kept honest by the same contract on the real one.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGiteaForge } from "../../src/adapters/forge-gitea/gitea-forge.ts";
import { commitId, type Commit } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { forgeContract } from "../../src/ports/forge.contract.ts";
import type { Forge } from "../../src/ports/forge.ts";
import {
  DEV_TOKEN,
  REVIEW_TOKEN,
  startFakeGitea,
  type FakeGitea,
} from "../support/fake-gitea/server.ts";

type World = { root: string; fake: FakeGitea; git: (...args: string[]) => string };

async function openWorld(): Promise<World> {
  const root = mkdtempSync("/tmp/pawl-fake-gitea-");
  const bare = join(root, "bare.git");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, env, encoding: "utf8" }).trim();
  git("init", "-q", "--bare", "-b", "main", bare);
  const world = { root, fake: await startFakeGitea(bare), git };
  commit(world, "main");
  return world;
}

let commits = 0;

/** A new commit on the branch, or on its beginning, made without a checkout. */
function commit({ root, git }: World, branch: string): Commit {
  const bare = join(root, "bare.git");
  commits += 1;
  const tree = git("-C", bare, "hash-object", "-t", "tree", "-w", "/dev/null");
  const parents = branch === "main" ? [] : ["-p", "main"];
  const made = git("-C", bare, "commit-tree", tree, ...parents, "-m", `commit ${commits}`);
  git("-C", bare, "update-ref", `refs/heads/${branch}`, made);
  return commitId(made);
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

async function close({ root, fake }: World): Promise<void> {
  await fake.close();
  rmSync(root, { recursive: true });
}

function contractOn(name: string, more: Partial<Parameters<typeof createGiteaForge>[0]>): void {
  forgeContract(name, async () => {
    const world = await openWorld();
    return {
      forge: forgeOf(world, more),
      push: async (branch) => commit(world, branch),
      land: async (head) => {
        world.git("-C", join(world.root, "bare.git"), "update-ref", "refs/heads/main", head);
      },
      sibling: (marks) => forgeOf(world, { ...more, factory: async () => marks }),
      close: () => close(world),
    };
  });
}

contractOn("the Gitea adapter on a fake", {});
contractOn("the Gitea adapter with one account", { reviewToken: undefined });

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
    const head = commit(world, "pawl/1");
    const of = { branch: "pawl/1", head, target: "main", title: "t", body: "", issue: 1, key: "k" };
    const { number: pr } = await forge.ensurePr(of);
    const merge = () => forge.mergePr?.({ pr, head, strategy: "merge" });
    state.required = ["ci/test"];
    expect(await merge()).toMatchObject({
      kind: "waiting",
      why: expect.stringMatching(/required status/),
    });
    state.required = [];
    commit(world, "main");
    expect(await merge()).toMatchObject({
      kind: "waiting",
      why: expect.stringMatching(/Diverging/),
    });
    expect(await forge.pr(pr)).toMatchObject({ state: "open" });
  } finally {
    await close(world);
  }
});

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
