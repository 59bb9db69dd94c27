// `pawl init` in a clone of a repository on a real Gitea: what it finds out, what it says of tokens
// and protection, and what it makes. A dry run first, which leaves nothing behind.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFactory } from "../support/pawl.ts";
import { noGitea, startGitea, type RealGitea } from "../support/real-gitea.ts";

describe.skipIf(noGitea)("pawl init on a real Gitea", () => {
  let gitea: RealGitea;
  beforeAll(async () => {
    gitea = await startGitea();
  });
  afterAll(() => gitea.close());

  const labels = (repo: string): Promise<{ name: string }[]> =>
    gitea.call(gitea.tokens.owner, `GET /repos/team/${repo}/labels`);

  test("a dry run says everything and makes nothing; then labels and pawl.toml are there", async () => {
    const { dev, review } = gitea.tokens;
    await gitea.makeRepo("app", "write");
    await using factory = await makeFactory({
      env: { FORGE_TOKEN: dev, REVIEW_BOT_TOKEN: review },
    });
    factory.git("remote", "add", "origin", `${gitea.url}/team/app.git`);
    const dry = await factory.pawl("init", "--dry-run");
    expect(dry.stderr).toContain("as pawl-dev (FORGE_TOKEN), reviews by pawl-review");
    expect(dry.stderr).toContain("labels to create: backlog, in-progress, blocked, priority");
    expect(dry.stderr).toContain("main is not protected");
    expect(dry.stderr).not.toContain("problem");
    expect(dry.stdout).toContain(`[forge]`);
    expect(dry.stdout).toContain(`url = "${gitea.url}"\nrepo = "team/app"`);
    expect(dry.stdout + dry.stderr).not.toContain(dev);
    expect(await labels("app")).toEqual([]);
    expect(existsSync(join(factory.home, "pawl.db"))).toBe(false);

    await factory.ok("init", "--yes");
    expect(readFileSync(join(factory.repo, "pawl.toml"), "utf8")).toBe(dry.stdout);
    const made = (await labels("app")).map(({ name }) => name);
    expect(made.toSorted()).toEqual(["backlog", "blocked", "in-progress", "priority"]);
    // The project is on the forge from now on.
    expect(await factory.ok("issue", "add", "--title", "First")).toContain("1");
    expect(await gitea.call(dev, "GET /repos/team/app/issues/1")).toMatchObject({ title: "First" });
  });

  test("on a fresh repository, init switches manual merge on where the account may, and says it otherwise", async () => {
    const { owner, dev, review } = gitea.tokens;
    const off = { has_pull_requests: true, allow_manual_merge: false };
    const settings = (repo: string): Promise<object> =>
      gitea.call(owner, `GET /repos/team/${repo}`);
    for (const [repo, may] of [
      ["fresh", "admin"],
      ["lent", "write"],
    ] as const) {
      await gitea.makeRepo(repo, may);
      await gitea.call(owner, `PATCH /repos/team/${repo}`, {
        ...off,
        autodetect_manual_merge: false,
      });
      await using factory = await makeFactory({
        env: { FORGE_TOKEN: dev, REVIEW_BOT_TOKEN: review },
      });
      factory.git("remote", "add", "origin", `${gitea.url}/team/${repo}.git`);
      const { stderr } = await factory.pawl("init", "--yes", "--manual-merge");
      const isOn = { allow_manual_merge: may === "admin", autodetect_manual_merge: false };
      expect(await settings(repo), stderr).toMatchObject(isOn);
      expect(stderr).toContain(may === "admin" ? "manual merge is on in" : "the owner can switch");
    }
  });

  test("tokens and protection that will not do are named, with the next step", async () => {
    const { owner, dev, review } = gitea.tokens;
    await gitea.makeRepo("strict", "write");
    const rule = { rule_name: "main", enable_push: true, enable_push_whitelist: true };
    await gitea.call(owner, "POST /repos/team/strict/branch_protections", {
      ...rule,
      push_whitelist_usernames: ["team"],
    });
    await gitea.call(owner, "PATCH /repos/team/strict", {
      has_pull_requests: true,
      allow_manual_merge: false,
      autodetect_manual_merge: false,
    });
    await using factory = await makeFactory({ env: { FORGE_TOKEN: dev, REVIEW_BOT_TOKEN: dev } });
    factory.git("remote", "add", "origin", `${gitea.url}/team/strict.git`);
    const said = async (env: Record<string, string>): Promise<string> => {
      Object.assign(factory.env, env);
      return (await factory.pawl("init", "--dry-run")).stderr;
    };
    const first = await said({});
    expect(first).toContain("both belong to pawl-dev");
    expect(first).toContain(`main is protected, and pawl-dev may not push to it`);
    expect(first).toContain("Autodetect manual merge");
    const weak = await gitea.token("pawl-dev", "read:issue,read:repository,read:user");
    const second = await said({ FORGE_TOKEN: weak, REVIEW_BOT_TOKEN: review });
    expect(second).toContain("cannot write to issues");
    expect(second).toContain("FORGE_TOKEN needs write:issue, write:repository and read:user");
    expect(await said({ FORGE_TOKEN: "0".repeat(40) })).toContain("does not accept the token");
    const none = await said({ FORGE_TOKEN: "" });
    expect(none).toContain("set FORGE_TOKEN");
  });
});
