// A project on GitHub, end to end, against the fake one over real HTTP: issues there → agent → PR →
// required checks on the PR and on exactly what lands → merged; and the commands people type.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GITHUB_DEV, GITHUB_REVIEW, startFakeGithub } from "../support/fake-github/server.ts";
import { refusePushes } from "../support/forge-factory.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT } from "../support/pawl.ts";

async function makeGithubFactory() {
  const factory = await makeFactory({
    env: { GITHUB_TOKEN: GITHUB_DEV, FORGE_REVIEW_TOKEN: GITHUB_REVIEW },
  });
  const bare = join(factory.root, "origin.git");
  mkdirSync(bare);
  factory.gitIn(bare, "init", "-q", "--bare", "-b", "main");
  factory.git("remote", "add", "origin", bare);
  const fake = await startFakeGithub(bare);
  const forge = `[forge]\nkind = "github"\nurl = "${fake.url}"\nrepo = "team/project"\n`;
  const ci = '[ci]\nserver = "forge"\npoll = "1 s"\n';
  factory.commit({ "pawl.toml": factory.config(`${SCRIPT_AGENT}${ci}${forge}${LIMITS}`) }, "Begin");
  factory.git("push", "-q", "origin", "main");
  return {
    ...factory,
    bare,
    fake,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await factory[Symbol.asyncDispose]();
      await fake.close();
    },
  };
}

test("a target that GitHub guards is landed on by its own merge of what was tested", async () => {
  await using factory = await makeGithubFactory();
  const { state } = factory.fake;
  refusePushes(factory.bare);
  Object.assign(state, { ruleset: ["build"], isStrict: true });
  state.actions = () => [{ name: "build", conclusion: "success" }];
  const body = "```sh\necho x > one.txt\n```\n";
  await factory.ok("issue", "add", "--title", "One", "--body", body);
  await factory.ok("run", "--until-idle");
  const landed = factory.gitIn(factory.bare, "rev-parse", "main");
  expect(state.issues).toMatchObject([{ state: "closed" }, { pr: { mergedAs: landed } }]);
  expect((await factory.runOf(1)).outcome).toBe("landed");
  // GitHub's commit has exactly the tree of the one that was tested, which is its second parent.
  const [tree, tested] = [`${landed}^{tree}`, `${landed}^2^{tree}`].map((at) =>
    factory.gitIn(factory.bare, "rev-parse", at),
  );
  expect(tree).toBe(tested);
  const green = state.checkRuns.map(({ commit }) => commit);
  expect(green).toContain(factory.gitIn(factory.bare, "rev-parse", `${landed}^2`));
  expect(factory.gitIn(factory.bare, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe(
    "refs/heads/main",
  );
});

test("checks of a forge that nothing requires are refused before anything starts, with the line to write", async () => {
  await using factory = await makeGithubFactory();
  const { state } = factory.fake;
  state.labels.push({ id: state.id(), name: "backlog", color: "0075ca" });
  const commit = factory.gitIn(factory.bare, "rev-parse", "main");
  for (const name of ["lint", "build"]) {
    const done = { status: "completed", conclusion: "success" };
    state.checkRuns.push({ id: state.id(), commit, name, ...done });
  }
  const refused = await factory.pawl("run", "--until-idle");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("the protection of main requires none");
  expect(refused.stderr).toContain('contexts = ["build", "lint"]');
  expect(factory.fake.state.issues).toEqual([]);
  state.protection = ["build"];
  await factory.ok("run", "--until-idle");
  // What was required once and is no longer lets nothing through, and is said.
  state.protection = [];
  await factory.ok("up");
  await factory.until("the configuration is refused", async () =>
    ((await factory.status()).projects[0]?.config_problem ?? "").includes("contexts = ["),
  );
});

const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

test("an issue on GitHub becomes a merged PR once its required checks are green", async () => {
  await using factory = await makeGithubFactory();
  const { state } = factory.fake;
  state.protection = ["build"];
  const red: string[] = [];
  state.actions = (commit) => {
    const isFixed = state.git("cat-file", "-e", `${commit}:late.txt`) !== undefined;
    if (!isFixed) red.push(commit);
    const other = { name: "optional", conclusion: "failure" };
    return [{ name: "build", conclusion: isFixed ? "success" : "failure" }, other];
  };

  // People file it by the command, or on GitHub's page.
  const body = "```sh\necho x > early.txt\n```\n\n```sh on-ci-failure\necho x > late.txt\n```\n";
  expect(await factory.ok("issue", "add", "--title", "Early", "--body", body)).toContain("1");
  await factory.ok("issue", "comment", "1", "--body", "hello");
  const shown = json(await factory.ok("issue", "show", "1", "--json"));
  expect(shown).toMatchObject({ title: "Early", labels: ["backlog"], author: "pawl-dev" });
  expect(shown["comments"]).toMatchObject([{ body: "hello", author: "pawl-dev" }]);

  await factory.ok("run", "--until-idle");
  expect((await factory.runOf(1)).outcome).toBe("landed");
  const [issue, pr] = state.issues;
  expect(issue).toMatchObject({ state: "closed", labels: [], assignees: ["pawl-dev"] });
  const landed = factory.gitIn(factory.bare, "rev-parse", "main");
  expect(pr).toMatchObject({ state: "closed", pr: { mergedAs: landed } });
  // What landed is exactly what the check was green on, and the branch for it is gone.
  const checks = state.checkRuns.filter(
    ({ commit, name }) => commit === landed && name === "build",
  );
  expect(checks).toMatchObject([{ conclusion: "success" }]);
  expect(red).toHaveLength(1);
  expect(factory.gitIn(factory.bare, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe(
    "refs/heads/main",
  );

  expect(await factory.ok("pr", "list", "--state", "all")).toContain("Early");
  expect(json(await factory.ok("pr", "show", "2", "--json"))).toMatchObject({
    state: "merged",
    issue: 1,
    merged_as: landed,
    check: { state: "passed", gates: [{ gate: "build", passed: true }] },
  });
  expect(await factory.pawl("ci", "status", "1")).toMatchObject({ code: 0 });
  expect(await factory.ok("ci", "logs", "1")).toContain("/actions/runs/");

  // A token that lacks a permission is told so by the command, in words.
  factory.fake.lacks.add("issues=write");
  const refused = await factory.pawl("issue", "add", "--title", "No");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("this call needs issues=write");
  expect(refused.stderr).not.toContain(GITHUB_DEV);
});
