import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGit } from "../../src/adapters/git-cli/git.ts";
import { commitId, type Commit } from "../../src/core/ids.ts";
import { GIT_IDENTITY } from "../support/git-identity.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

test.each(["local", "remote"] as const)("the hub follows a %s target", async (kind) => {
  using project = gitProject(kind);
  expect(await project.pawl.fetchTarget()).toBe(project.first);
  const next = project.commit(project.user, { "a.txt": "2\n" }, "second: a\ttab");
  if (kind === "remote") project.git(project.user, "push", "-q", "origin", "main");
  expect(await restarted(project).fetchTarget()).toBe(next);
  expect(project.head(project.hub, "refs/pawl/target/main")).toBe(next);
  expect(existsSync(join(project.hub, "objects/info/alternates"))).toBe(false);
  const log = await project.pawl.targetLog({ limit: 10 });
  expect(log.map((entry) => entry.subject)).toEqual(["first", "second: a\ttab"]);
  expect(await project.pawl.targetLog({ since: project.first, limit: 10 })).toEqual([
    { commit: next, subject: "second: a\ttab" },
  ]);
});

test.each(["local", "remote"] as const)(
  "the lock that a killed fetch of a %s target left is removed by a daemon that was started right after",
  async (kind) => {
    using project = gitProject(kind);
    await project.pawl.fetchTarget();
    const lock = join(project.hub, "refs/pawl/target/main.lock");
    const next = project.commit(project.user, { "a.txt": "2\n" }, "second");
    if (kind === "remote") project.git(project.user, "push", "-q", "origin", "main");
    writeFileSync(lock, "");
    const pawl = restarted(project);
    await expect(pawl.fetchTarget()).rejects.toThrow(/main/);
    expect(existsSync(lock)).toBe(true);
    const twoMinutesAgo = Date.now() / 1000 - 120;
    utimesSync(lock, twoMinutesAgo, twoMinutesAgo);
    await expect(pawl.fetchTarget()).rejects.toThrow(/main/);
    expect(await pawl.fetchTarget()).toBe(next);
  },
);

test("a hub of another object format is named as the problem, not the network", async () => {
  using project = gitProject("remote");
  await project.pawl.fetchTarget();
  const other = join(project.root, "other");
  mkdirSync(other);
  project.git(other, "init", "-q", "-b", "main", "--object-format=sha256");
  project.commit(other, { "a.txt": "1\n" });
  const moved = restarted(project, {
    upstream: { kind: "remote", url: other, path: project.user },
  });
  await expect(moved.fetchTarget()).rejects.toMatchObject({
    code: "object-format-differs",
    message: expect.stringContaining("upstream is a sha256 repository"),
    retryable: false,
  });
});

test("the hub keeps its objects when the user's repository is gone", async () => {
  using project = gitProject("local");
  const target = await project.pawl.fetchTarget();
  execFileSync("rm", ["-rf", project.user]);
  expect(await project.pawl.readFile(target, "a.txt")).toBe("1\n");
});

test.each(["the repository", "its .git"])(
  "%s that is renamed is tried again, by a daemon that knew it and by the next one",
  async (what) => {
    using project = gitProject("local");
    const target = await project.pawl.fetchTarget();
    const path = what === "its .git" ? join(project.user, ".git") : project.user;
    const gone = { code: "upstream-unreachable", retryable: true };
    renameSync(path, `${path}-away`);
    await expect(project.pawl.fetchTarget()).rejects.toMatchObject(gone);
    await expect(createGit(project.options).fetchTarget()).rejects.toMatchObject(gone);
    renameSync(`${path}-away`, path);
    expect(await project.pawl.fetchTarget()).toBe(target);
  },
);

test("a file is read exactly, and a missing one is undefined", async () => {
  using project = gitProject("local");
  const commit = project.commit(project.user, { "x.txt": "no newline", "[a].txt": "\n\n" });
  await project.pawl.fetchTarget();
  expect(await project.pawl.readFile(commit, "x.txt")).toBe("no newline");
  expect(await project.pawl.readFile(commit, "[a].txt")).toBe("\n\n");
  expect(await project.pawl.readFile(commit, "nothing.txt")).toBeUndefined();
  expect(await project.pawl.readFile(commit, "dir")).toBeUndefined();
});

test("a folder that is no repository, one without commits and a missing target are told apart", async () => {
  using project = gitProject("local");
  const at = (path: string, target = "main") =>
    createGit({ ...project.options, upstream: { kind: "local", path }, target });
  const plain = join(project.root, "plain");
  const unborn = join(project.root, "unborn");
  mkdirSync(plain);
  mkdirSync(unborn);
  project.git(unborn, "init", "-q", "-b", "main");
  await expect(at(plain).fetchTarget()).rejects.toMatchObject({ code: "not-a-repository" });
  const nowhere = join(project.root, "nowhere");
  await expect(at(nowhere).fetchTarget()).rejects.toMatchObject({ code: "not-a-repository" });
  await expect(at(unborn).fetchTarget()).rejects.toMatchObject({ code: "no-commits" });
  await expect(at(project.user, "trunk").fetchTarget()).rejects.toMatchObject({
    code: "target-missing",
    hint: expect.stringContaining("main"),
  });
});

test("a remote that is empty, lacks the target or is out of reach is told apart", async () => {
  using project = gitProject("remote");
  const empty = join(project.root, "empty.git");
  project.git(project.root, "init", "-q", "--bare", empty);
  const at = (url: string, target = "main") =>
    createGit({
      ...project.options,
      upstream: { kind: "remote", url, path: project.user },
      target,
    });
  await expect(at(empty).fetchTarget()).rejects.toMatchObject({ code: "no-commits" });
  await expect(at(project.remote, "trunk").fetchTarget()).rejects.toMatchObject({
    code: "target-missing",
  });
  await expect(at("/nonexistent/x.git").fetchTarget()).rejects.toMatchObject({
    code: "upstream-unreachable",
    retryable: true,
  });
});

test("hooks and configuration of the user's repository do not run", async () => {
  using project = gitProject("local");
  const trace = join(project.root, "trace");
  const hook = `#!/bin/sh\nenv > ${trace}\n`;
  const names = ["reference-transaction", "post-index-change", "post-checkout"];
  project.write(
    join(project.user, ".git", "hooks"),
    Object.fromEntries(names.map((n) => [n, hook])),
  );
  for (const name of names) {
    execFileSync("chmod", ["+x", join(project.user, ".git", "hooks", name)]);
  }
  const head = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path: workspace, branch: "pawl/1", from: head });
  project.commit(workspace, { "new.txt": "1\n" });
  const state = await project.pawl.fetchBranch({ workspace, branch: "pawl/1", target: head });
  const outcome = await project.pawl.land({ candidate: state.head, expected: head });
  expect(outcome.kind).toBe("landed");
  expect(existsSync(trace)).toBe(false);
});

test("pushing into the hub is refused", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const push = () => project.git(project.user, "push", project.hub, "main:refs/pawl/target/main");
  project.commit(project.user, { "a.txt": "evil\n" });
  expect(push).toThrow(/hidden ref/);
  expect(readFileSync(join(project.hub, "config"), "utf8")).toContain("hooksPath = /dev/null");
});

test("pushes into the user's repository are told of, the newest first, until they are acknowledged", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  project.git(project.user, "checkout", "-q", "-b", "elsewhere");
  const pushes = Array.from({ length: 22 }, (_, n) => {
    const date = `${1_700_000_000 + n} +0000`;
    const tree = project.git(project.user, "write-tree");
    const parent = project.git(project.user, "rev-parse", "main");
    const id = execFileSync("git", ["commit-tree", tree, "-p", parent, "-m", `push ${n}`], {
      cwd: project.user,
      env: { ...process.env, ...GIT_IDENTITY, GIT_COMMITTER_DATE: date },
      encoding: "utf8",
    }).trim();
    project.git(project.user, "push", "-q", ".", `${id}:refs/heads/main`);
    return commitId(id);
  });
  await project.pawl.fetchTarget();
  const told = async (acknowledged: Commit[]) =>
    (await project.pawl.outside({ acknowledged })).map(({ commit }) => commit);
  expect(await told([])).toEqual(pushes.slice(2).toReversed());
  expect(await told(pushes.slice(2))).toEqual(pushes.slice(0, 2).toReversed());
  expect(await told(pushes.slice(2))).toEqual(pushes.slice(0, 2).toReversed());
});

test("a first fetch that fails keeps what the user's clone has from the remote, and nothing of the user's own", async () => {
  using project = gitProject("remote");
  project.git(project.user, "fetch", "-q", "origin");
  const own = project.commit(project.user, { "own.txt": "not pushed\n" });
  const away = `${project.remote}.away`;
  renameSync(project.remote, away);
  await expect(project.pawl.fetchTarget()).rejects.toThrow(/upstream gave an unexpected answer/);
  const has = (commit: string): string => project.git(project.hub, "cat-file", "-t", commit);
  expect(has(project.first)).toBe("commit");
  expect(() => has(own)).toThrow(/cat-file/);
  renameSync(away, project.remote);
  expect(await restarted(project).fetchTarget()).toBe(project.first);
  expect(project.git(project.hub, "for-each-ref", "refs/pawl/seed")).toBe("");
});

test("what a crash left of the user's clone goes once the hub has the target", async () => {
  using project = gitProject("remote");
  project.git(project.user, "fetch", "-q", "origin");
  const seeds = (): string => project.git(project.hub, "for-each-ref", "refs/pawl/seed");
  const dying = restarted(project, { crash: crashAt("git.target.fetched") });
  await expect(dying.fetchTarget()).rejects.toThrow("git.target.fetched");
  expect(seeds()).not.toBe("");
  await project.checkpoints.tidy({ now: Date.now() });
  expect(seeds()).toBe("");
});

test("what the user's clone has stays until the hub has the target", async () => {
  using project = gitProject("remote");
  project.git(project.user, "fetch", "-q", "origin");
  renameSync(project.remote, `${project.remote}.away`);
  await expect(project.pawl.fetchTarget()).rejects.toThrow(/upstream gave an unexpected answer/);
  await project.checkpoints.tidy({ now: Date.now() });
  expect(project.git(project.hub, "for-each-ref", "refs/pawl/seed")).not.toBe("");
});

test("a shallow or partial clone of the user's is not taken from", async () => {
  using project = gitProject("remote");
  const url = `file://${project.remote}`;
  project.commit(project.user, { "a.txt": "2\n" });
  project.git(project.user, "push", "-q", "origin", "main");
  for (const how of ["--depth=1", "--filter=blob:none"]) {
    const path = join(project.root, how);
    project.git(project.remote, "config", "uploadpack.allowFilter", "true");
    project.git(project.root, "clone", "-q", how, url, path);
    const hub = join(project.root, `hub${how}.git`);
    const pawl = restarted(project, { hub, upstream: { kind: "remote", url, path } });
    const at = await pawl.fetchTarget();
    expect(project.git(hub, "rev-parse", "--is-shallow-repository")).toBe("false");
    project.git(hub, "fsck", "--connectivity-only", at);
  }
});
