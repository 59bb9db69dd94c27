// The adapter against the fake GitHub, whose shapes come from GitHub's REST documentation: the same
// contract as every forge's, and what is GitHub's own.
import { afterEach, beforeEach, expect, test } from "vitest";
import { verdictOf } from "../../src/adapters/ci-server/forge-verdicts.ts";
import type { RepositoryOptions } from "../../src/adapters/shared/forge/connection.ts";
import { createGithubForge } from "../../src/adapters/forge-github/github-forge.ts";
import { inspectGithub, prepareGithub } from "../../src/adapters/forge-github/inspect.ts";
import { commitId } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import type { ForgeUnderTest } from "../../src/ports/forge-under-test.ts";
import { forgeContract, forgeReviewContract } from "../../src/ports/forge.contract.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { bareRepository, type BareRepository } from "../support/bare-repository.ts";
import {
  GITHUB_CLASSIC,
  GITHUB_DEV,
  GITHUB_REVIEW,
  GITHUB_STRANGER,
  startFakeGithub,
  type FakeGithub,
} from "../support/fake-github/server.ts";
import { strangerAt } from "../support/forge-stranger.ts";

type World = { repository: BareRepository; fake: FakeGithub };

async function openWorld(): Promise<World> {
  const repository = bareRepository();
  const fake = await startFakeGithub(repository.path);
  repository.commit("main");
  return { repository, fake };
}

const optionsOf = ({ fake }: World, more: Partial<RepositoryOptions> = {}): RepositoryOptions => ({
  url: fake.url,
  owner: "team",
  repo: "project",
  token: { value: GITHUB_DEV, name: "GITHUB_TOKEN" },
  reviewToken: { value: GITHUB_REVIEW, name: "FORGE_REVIEW_TOKEN" },
  secrets: [GITHUB_DEV, GITHUB_REVIEW],
  factory: async () => ({ id: "f1", home: "h1" }),
  now: () => Date.now(),
  wait: () => Promise.resolve(),
  crash: noCrash,
  ...more,
});

const forgeOf = (own: World, more: Partial<RepositoryOptions> = {}): Forge =>
  createGithubForge(optionsOf(own, more));

async function close({ repository, fake }: World): Promise<void> {
  await fake.close();
  repository.remove();
}

async function openFake(more: Partial<RepositoryOptions>): Promise<ForgeUnderTest> {
  const own = await openWorld();
  return {
    forge: forgeOf(own, more),
    push: async (branch) => own.repository.commit(branch),
    land: async (head) => void own.repository.git("update-ref", "refs/heads/main", head),
    stranger: strangerAt({
      repo: `${own.fake.url}/api/v3/repos/team/project`,
      authorization: `Bearer ${GITHUB_STRANGER}`,
      login: "stranger",
      approval: "APPROVE",
      labelsById: false,
      fork: async (branch) => void own.repository.fork("stranger", branch),
    }),
    sibling: (marks) => forgeOf(own, { ...more, factory: async () => marks }),
    close: () => close(own),
  };
}

forgeContract("the GitHub adapter on a fake", () => openFake({}));
// The second account gives the reviews and does nothing else.
forgeReviewContract("the GitHub adapter with one account", () =>
  openFake({ reviewToken: undefined }),
);

let world: World;
let forge: Forge;

beforeEach(async () => {
  world = await openWorld();
  forge = forgeOf(world);
});

afterEach(() => close(world));

const openPr = async (branch: string) => {
  const head = world.repository.commit(branch);
  const of = { branch, head, target: "main", title: branch, body: "", issue: 1, key: branch };
  return forge.ensurePr(of);
};

const file = (key: string, labels: string[] = []) =>
  forge.createIssue({ title: key, body: "", labels, key, author: "ann" });

test("a long list is read to its last page, without the PRs that GitHub lists among issues", async () => {
  for (let index = 0; index < 230; index += 1) {
    world.fake.state.add({ title: `${index}`, body: "", labels: [], author: "ann" });
  }
  await openPr("pawl/1");
  expect(await forge.issues({ state: "open" })).toHaveLength(230);
  expect(world.fake.seen.filter((line) => line.includes("/issues?"))).toHaveLength(3);
});

test("asking again for what has not changed costs none of the rate limit", async () => {
  await file("a");
  await forge.issues({ state: "open" });
  const { used } = world.fake.at;
  for (let index = 0; index < 5; index += 1) {
    expect(await forge.issues({ state: "open" })).toHaveLength(1);
  }
  expect(world.fake.at).toMatchObject({ used, unchanged: 5 });
  await file("b");
  expect(await forge.issues({ state: "open" })).toHaveLength(2);
});

test("a token without a permission is told which one, and 401 which token", async () => {
  world.fake.lacks.add("issues=write");
  await expect(file("a")).rejects.toMatchObject({
    code: "http-forbidden",
    message: expect.stringContaining("Resource not accessible by personal access token"),
    hint: expect.stringMatching(/GITHUB_TOKEN needs .*\(this call needs issues=write\)/),
  });
  const wrong = forgeOf(world, { token: { value: "wrong", name: "GITHUB_TOKEN" } });
  await expect(wrong.issues({ state: "open" })).rejects.toMatchObject({
    code: "http-unauthorised",
    hint: expect.stringContaining("GITHUB_TOKEN"),
  });
});

test.each(["primary", "secondary", "secondary-bare"] as const)(
  "a %s rate limit is told as one, and nothing is sent while it lasts",
  async (kind) => {
    world.fake.fail(kind);
    const slow = forgeOf(world, { wait: () => Promise.reject(new Error("waits")) });
    await expect(slow.issues({ state: "open" })).rejects.toThrow(
      /waits|rate limit|no more requests/,
    );
    const sent = world.fake.seen.length;
    world.fake.fail(undefined);
    await expect(slow.issue(1)).rejects.toThrow(/waits|rate limit|no more requests/);
    expect(world.fake.seen).toHaveLength(sent);
  },
);

test("what people decided counts, what strangers and comments say does not", async () => {
  const pr = await openPr("pawl/1");
  const say = (state: "APPROVED" | "COMMENTED", association: string, author: string) =>
    world.fake.state.reviews.push({
      id: world.fake.state.id(),
      pr: pr.number,
      state,
      body: "",
      author,
      association,
      commit: pr.head,
      submitted: Date.now(),
    });
  say("APPROVED", "NONE", "stranger");
  // Both are members or collaborators, with read access.
  say("APPROVED", "COLLABORATOR", "stranger");
  say("APPROVED", "MEMBER", "stranger");
  say("APPROVED", "MEMBER", "a former member");
  say("COMMENTED", "MEMBER", "bob");
  expect(await forge.reviews(pr.number)).toEqual([]);
  say("APPROVED", "MEMBER", "bob");
  expect(await forge.reviews(pr.number)).toMatchObject([{ author: "bob", verdict: "approve" }]);
  const asked = (login: string): number =>
    world.fake.seen.filter((line) => line.includes(`/collaborators/${login}/permission`)).length;
  expect([asked("bob"), asked("stranger")]).toEqual([1, 1]);
});

test("statuses and check runs are one list, as branch protection counts them", async () => {
  const commit = world.repository.commit("pawl/1");
  const { state } = world.fake;
  state.statuses.push({ commit, context: "legacy", state: "success", description: "", url: null });
  const run = (name: string, status: string, conclusion: string | null) =>
    state.checkRuns.push({ id: state.id(), commit, name, status, conclusion });
  run("build", "completed", "success");
  run("lint", "completed", "skipped");
  run("slow", "in_progress", null);
  run("twice", "completed", "failure");
  run("twice", "completed", "success");
  run("late", "completed", "timed_out");
  const all = await forge.statuses(commit);
  expect(Object.fromEntries(all.map((one) => [one.context, one.state]))).toEqual({
    build: "success",
    late: "error",
    legacy: "success",
    lint: "success",
    slow: "pending",
    twice: "failure",
  });
  state.protection = ["build", "legacy"];
  state.ruleset = ["deploy", "build"];
  const required = (await forge.requiredContexts?.("main")) ?? [];
  expect(required).toEqual(["build", "deploy", "legacy"]);
  expect(verdictOf(all, required)).toEqual({ kind: "pending", waitsFor: ["slow", "deploy"] });
});

test("a merge whose answer was lost is told as merged", async () => {
  const pr = await openPr("pawl/1");
  world.fake.fail("late");
  const outcome = await forge.mergePr?.({ pr: pr.number, head: pr.head, strategy: "merge" });
  const landed = world.repository.git("rev-parse", "main");
  expect(outcome).toEqual({ kind: "merged", commit: landed });
  expect(world.fake.seen.filter((line) => line.startsWith("PUT"))).toHaveLength(2);
});

test("check suites that are queued or running are told, except of apps that never check anything", async () => {
  const commit = world.repository.commit("pawl/1");
  const { suites } = world.fake.state;
  suites.push({ commit, status: "completed", app: "github-actions", runs: 1 });
  suites.push({ commit, status: "queued", app: "never-reports", runs: 0 });
  expect(await forge.running?.(commit)).toEqual([]);
  suites.push({ commit, status: "queued", app: "github-actions", runs: 0 });
  suites.push({ commit, status: "in_progress", app: "coverage", runs: 2 });
  expect(await forge.running?.(commit)).toEqual([
    "the check suite of github-actions (queued)",
    "the check suite of coverage (in_progress)",
  ]);
});

test("a PR whose commits did not come onto the target is closed with a word", async () => {
  const pr = await openPr("pawl/1");
  const squashed = world.repository.commit("other");
  await forge.finishPr(pr.number, { state: "merged", mergedAs: squashed });
  expect(await forge.pr(pr.number)).toMatchObject({ state: "closed" });
  expect(await forge.comments(pr.number)).toMatchObject([
    { body: expect.stringContaining(`Landed as ${squashed}`) },
  ]);
});

/** What `pawl init` is told. */
const look = (more: Partial<RepositoryOptions> = {}) =>
  inspectGithub(optionsOf(world, more), "main");

test("a look before setting up proves every permission, and changes nothing", async () => {
  const { fake } = world;
  expect(await look()).toEqual({
    login: "pawl-dev",
    reviewer: "pawl-review",
    labelsMissing: ["backlog", "in-progress", "blocked", "priority"],
    problems: [],
    advice: [expect.stringContaining("main is not protected")],
  });
  const { labels, issues, statuses } = fake.state;
  expect([labels, issues, statuses]).toEqual([[], [], []]);
  expect(fake.seen.filter((call) => call.startsWith("POST"))).toHaveLength(5);
  await prepareGithub(optionsOf(world));
  await prepareGithub(optionsOf(world));
  expect(fake.state.labels).toHaveLength(4);
  expect((await look()).labelsMissing).toEqual([]);
});

test("a fine-grained token is told what it may not write, a classic one which scope it lacks", async () => {
  const { fake } = world;
  for (const lacked of ["issues=write", "contents=write"]) fake.lacks.add(lacked);
  expect((await look()).problems).toEqual([
    expect.stringContaining("GITHUB_TOKEN may not write Issues, Contents: give it"),
  ]);
  const token = { value: GITHUB_CLASSIC, name: "FORGE_TOKEN" };
  const classic = { token, reviewToken: undefined };
  fake.classic.scopes = "gist, read:org";
  expect((await look(classic)).problems).toEqual([
    "FORGE_TOKEN is a classic token with only gist, read:org: it needs the scope repo",
  ]);
  fake.classic.scopes = "repo, workflow";
  expect((await look(classic)).problems).toEqual([]);
});

test("401, 404 and an account that may not write are told apart, each with its next step", async () => {
  const wrong = { value: "ghp_wrong", name: "GITHUB_TOKEN" };
  const refused = await look({ token: wrong, secrets: ["ghp_wrong"] });
  expect(refused).toMatchObject({ login: undefined, labelsMissing: [] });
  expect(refused.problems).toEqual([expect.stringContaining("does not accept the token")]);
  expect((await look({ repo: "hidden" })).problems[0]).toMatch(
    /cannot read the repository: .* answered 404.*the token may not see it: GITHUB_TOKEN needs/,
  );
  world.fake.state.mayPush = false;
  expect((await look()).problems).toEqual([
    "pawl-dev may not write to team/project: add it as a collaborator with write access",
  ]);
});

test("what guards the target is told, and how work lands there", async () => {
  const { state } = world.fake;
  state.ruleset = ["build"];
  expect((await look()).advice).toEqual([
    expect.stringMatching(/main asks for green checks: .* Pawl asks GitHub to merge each PR/),
  ]);
  state.isStrict = false;
  expect((await look()).advice).toEqual([expect.stringMatching(/nothing can land: .*up to date/)]);
});

test("GitHub merges only where it requires branches to be up to date, and says what is missing", async () => {
  const { state } = world.fake;
  const may = (strategy: "merge" | "rebase" = "merge") => forge.mayMerge?.("main", strategy);
  const refused = (why: string) => ({ kind: "refused", why: expect.stringContaining(why) });
  expect(await may()).toMatchObject(refused("that are not up to date"));
  // What classic protection says is for administrators only; a ruleset can be read by everybody.
  state.protection = ["build"];
  expect(await may()).toMatchObject(refused("that are not up to date"));
  state.isAdmin = true;
  expect(await may()).toEqual({ kind: "allowed" });
  Object.assign(state, { isAdmin: false, ruleset: ["build"] });
  expect(await may()).toEqual({ kind: "allowed" });
  expect(await may("rebase")).toMatchObject(refused('does not allow the merge method "rebase"'));
  const { number: pr, head } = await openPr("pawl/1");
  const merge = () => forge.mergePr?.({ pr, head, strategy: "merge" });
  expect(await merge()).toMatchObject({
    kind: "waiting",
    why: expect.stringContaining('"build" is expected'),
  });
  const green = { context: "build", state: "success", description: "", url: undefined } as const;
  await forge.setStatus(head, green);
  state.approvals = 1;
  expect(await merge()).toMatchObject(refused("approving review"));
  state.approvals = 0;
  const moved = world.repository.git("commit-tree", "main^{tree}", "-p", "main", "-m", "others");
  world.repository.git("update-ref", "refs/heads/main", moved);
  expect(await merge()).toMatchObject({
    kind: "waiting",
    why: expect.stringContaining("out of date"),
  });
  expect(await forge.pr(pr)).toMatchObject({ state: "open" });
});

test("a PR that GitHub refuses says why", async () => {
  const head = commitId(world.repository.git("rev-parse", "main"));
  world.repository.git("update-ref", "refs/heads/pawl/empty", head);
  const of = {
    branch: "pawl/empty",
    head,
    target: "main",
    title: "t",
    body: "",
    issue: 1,
    key: "k",
  };
  await expect(forge.ensurePr(of)).rejects.toMatchObject({
    message: expect.stringContaining("No commits between main and pawl/empty"),
  });
});
