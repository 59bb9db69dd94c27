// The adapter against a real Gitea: the same suite that the fake passes, so that the fake is honest.
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGiteaForge } from "../../src/adapters/forge-gitea/gitea-forge.ts";
import { createForgeVerdicts } from "../../src/adapters/ci-server/forge-verdicts.ts";
import { treeId } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { ciServerContract } from "../../src/ports/ci-server.contract.ts";
import { forgeContract } from "../../src/ports/forge.contract.ts";
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

  async function open(isAlone = false): Promise<ForgeUnderTest & { repo: string }> {
    repos += 1;
    const repo = `r${repos}`;
    await gitea.makeRepo(repo, "admin");
    const clone = cloneOf(gitea.remote(repo, gitea.tokens.dev));
    return {
      repo,
      forge: forgeOf(repo, { isAlone }),
      push: async (branch) => clone.push(branch),
      land: async (head) => clone.land(head),
      stranger: strangerOf(repo),
      sibling: (marks) => forgeOf(repo, { isAlone, marks }),
      close: async () => clone.remove(),
    };
  }

  forgeContract("the Gitea adapter", () => open());
  forgeContract("the Gitea adapter with one account", () => open(true));

  ciServerContract("Gitea's statuses, as a CI server,", async () => {
    const under = await open();
    const contexts = ["ci/lint", "ci/test"];
    const { forge } = under;
    const verdicts = createForgeVerdicts({
      forge,
      target: "main",
      contexts,
      now: () => Date.now(),
    });
    const { server, pass, stop } = serverCiUnderTest(verdicts);
    let commits = 0;
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
      async close() {
        stop();
        await under.close();
      },
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
