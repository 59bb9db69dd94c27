// The adapter against a real Gitea: the same suite that the fake passes, so that the fake is honest.
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGiteaForge } from "../../src/adapters/forge-gitea/gitea-forge.ts";
import { createForgeVerdicts } from "../../src/adapters/ci-server/forge-verdicts.ts";
import { treeId } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { ciServerContract } from "../../src/ports/ci-server.contract.ts";
import { forgeContract, forgeReviewContract } from "../../src/ports/forge.contract.ts";
import type { ForgeUnderTest } from "../../src/ports/forge-under-test.ts";
import { cloneOf } from "../support/gitea-clone.ts";
import { strangerAt } from "../support/forge-stranger.ts";
import { noGitea, startGitea, type RealGitea } from "../support/real-gitea.ts";
import { serverCiUnderTest } from "../support/server-ci-under-test.ts";

describe.skipIf(noGitea)("on a real Gitea", () => {
  let gitea: RealGitea;
  let repos = 0;
  beforeAll(async () => {
    gitea = await startGitea();
  });
  afterAll(() => gitea.close());

  const forgeOf = (
    repo: string,
    options: { isAlone?: boolean; marks?: { id: string; home: string } } = {},
  ) => {
    const { dev, review } = gitea.tokens;
    return createGiteaForge({
      url: gitea.url,
      owner: "team",
      repo,
      token: { value: dev, name: "FORGE_TOKEN" },
      reviewToken:
        options.isAlone === true ? undefined : { value: review, name: "FORGE_REVIEW_TOKEN" },
      secrets: [dev, review],
      factory: async () => options.marks ?? { id: "f1", home: "h1" },
      now: () => Date.now(),
      wait: async (ms) => wait(ms),
      crash: noCrash,
    });
  };

  const strangerOf = (repo: string) => {
    const { call, tokens, url } = gitea;
    const token = tokens.stranger;
    let isForked = false;
    return strangerAt({
      repo: `${url}/api/v1/repos/team/${repo}`,
      authorization: `token ${token}`,
      login: "stranger",
      approval: "APPROVED",
      labelsById: true,
      async fork(branch) {
        if (!isForked) await call(token, `POST /repos/team/${repo}/forks`, {});
        isForked = true;
        const file = { content: "", message: "Fork", new_branch: branch };
        await call(token, `POST /repos/stranger/${repo}/contents/${branch}.txt`, file);
      },
    });
  };

  /** Until it has noticed the first push, Gitea says that there can be no PRs. */
  async function firstClone(repo: string): Promise<ReturnType<typeof cloneOf>> {
    const clone = cloneOf(gitea.remote(repo, gitea.tokens.dev));
    const isEmpty = async (): Promise<boolean> =>
      (await gitea.call<{ empty: boolean }>(gitea.tokens.dev, `GET /repos/team/${repo}`)).empty;
    await expect.poll(isEmpty).toBe(false);
    return clone;
  }

  async function open(isAlone = false): Promise<ForgeUnderTest & { repo: string }> {
    repos += 1;
    const repo = `r${repos}`;
    await gitea.makeRepo(repo, "admin", { isEmpty: true });
    // A first commit costs more than all else that a test about issues does there.
    let clone: Promise<ReturnType<typeof cloneOf>> | undefined;
    const cloned = () => (clone ??= firstClone(repo));
    return {
      repo,
      forge: forgeOf(repo, { isAlone }),
      push: async (branch) => (await cloned()).push(branch),
      land: async (head) => (await cloned()).land(head),
      stranger: strangerOf(repo),
      sibling: (marks) => forgeOf(repo, { isAlone, marks }),
      close: async () => (await clone)?.remove(),
    };
  }

  forgeContract("the Gitea adapter", () => open());
  // All else is said by the first account, as above; the fake keeps the whole contract with one account.
  forgeReviewContract("the Gitea adapter with one account", () => open(true));

  // One repository for all of them: each test looks at commits of its own.
  let judged: ReturnType<typeof open> | undefined;
  let commits = 0;
  afterAll(async () => (await judged)?.close());

  ciServerContract("Gitea's statuses, as a CI server,", async () => {
    const under = await (judged ??= open());
    const contexts = ["ci/lint", "ci/test"];
    const { forge } = under;
    const verdicts = createForgeVerdicts({
      forge,
      target: "main",
      contexts,
      now: () => Date.now(),
    });
    const { server, pass, stop } = serverCiUnderTest(verdicts);
    return {
      server,
      contexts,
      async commit() {
        commits += 1;
        const commit = await under.push(`checked-${commits}`);
        return { commit, tree: treeId(commit) };
      },
      async report(commit, { context, state }) {
        const shown = state === "success" || state === "failure" ? state : "pending";
        await forge.setStatus(commit, {
          context,
          state: shown,
          description: state,
          url: undefined,
        });
      },
      pass,
      close: async () => stop(),
    };
  });

  test("a look at a repository where nothing changed costs one request", async () => {
    const under = await open();
    const made = await under.forge.createIssue({
      title: "a",
      body: "",
      labels: ["backlog"],
      key: "a",
      author: "ann",
    });
    expect(await under.forge.issues({ state: "open" })).toHaveLength(1);
    await under.forge.editIssue(made.number, { addLabels: ["priority"] });
    const [seen] = await under.forge.issues({ state: "open" });
    expect(seen?.labels.toSorted()).toEqual(["backlog", "priority"]);
    await under.forge.editIssue(made.number, { state: "closed" });
    expect(await under.forge.issues({ state: "open" })).toEqual([]);
    await under.close();
  });
});
