import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

const branch = "pawl/1";

test("a workspace is a complete private clone on its branch, with the target as origin/main", async () => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  const made = await project.pawl.prepareWorkspace({ path, branch, from });
  expect(made).toEqual({ base: from, head: from, found: false });
  expect(project.read(path, "dir/c.txt")).toBe("1\n");
  expect(project.git(path, "status", "--porcelain")).toBe("");
  expect(project.git(path, "symbolic-ref", "HEAD")).toBe(`refs/heads/${branch}`);
  expect(project.head(path, "origin/main")).toBe(from);
  expect(project.git(path, "config", "user.name")).toBe("Ada");
  expect(project.git(path, "config", "commit.gpgSign")).toBe("false");
  const next = project.commit(project.user, { "a.txt": "2\n" });
  await project.pawl.fetchTarget();
  project.git(path, "fetch", "-q");
  expect(project.head(path, "origin/main")).toBe(next);
});

test("pushing from a workspace fails and says why", async () => {
  using project = gitProject("remote");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch, from });
  expect(() => project.git(path, "push", "origin", "HEAD:main")).toThrow(/push is disabled here/);
});

test("a workspace that is complete is left as it is, with its uncommitted work", async () => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch, from });
  const head = project.commit(path, { "n.txt": "1\n" });
  project.write(path, { "a.txt": "edited\n", "untracked.txt": "u\n" });
  const again = await restarted(project).prepareWorkspace({ path, branch, from });
  expect(again).toEqual({ base: from, head, found: true });
  expect(project.read(path, "a.txt")).toBe("edited\n");
  expect(project.read(path, "untracked.txt")).toBe("u\n");
});

const points = [
  "git.workspace.folder-made",
  "git.workspace.cloned",
  "git.workspace.checked-out",
  "git.workspace.complete",
  "git.workspace.in-place",
];
test.each(points)("a workspace left half-made by a crash at %s is made again", async (point) => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  const request = { path, branch, from };
  const dying = restarted(project, { crash: crashAt(point) });
  await expect(dying.prepareWorkspace(request)).rejects.toThrow(point);
  if (existsSync(`${path}.new`)) project.write(`${path}.new`, { "half.txt": "left over\n" });
  await restarted(project).prepareWorkspace(request);
  expect(project.git(path, "status", "--porcelain")).toBe("");
  expect(readdirSync(path).toSorted()).toEqual([".git", "a.txt", "b.txt", "dir"]);
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});

test("files without our marker are moved aside, never removed", async () => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch, from });
  project.write(path, { "work.txt": "w\n" });
  rmSync(join(path, ".git"), { recursive: true });
  await project.pawl.prepareWorkspace({ path, branch, from });
  expect(project.read(`${path}.aside-1`, "work.txt")).toBe("w\n");
  expect(existsSync(join(path, ".git"))).toBe(true);
});

test("a branch that the hub knows is where a new workspace starts", async () => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch, from });
  const head = project.commit(path, { "n.txt": "1\n" });
  await project.pawl.fetchBranch({ workspace: path, branch, target: from });
  await project.pawl.removeWorkspace({ path, identity: "dev-1" });
  expect(existsSync(path)).toBe(false);
  await project.pawl.removeWorkspace({ path, identity: "dev-1" });
  const again = await project.pawl.prepareWorkspace({ path, branch, from });
  expect(again).toEqual({ base: from, head, found: false });
});

test("a removal that was cut short is finished by the next one", async () => {
  using project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch, from });
  const points = ["git.workspace.removing", "git.workspace.renamed", "git.workspace.compared"];
  for (const point of points) {
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.removeWorkspace({ path, identity: "dev-1" })).rejects.toThrow(point);
  }
  await restarted(project).removeWorkspace({ path, identity: "dev-1" });
  expect(readdirSync(dirname(path))).toEqual([]);
});

test("a fetched branch tells its head, how far it is ahead, and what is not committed", async () => {
  using project = gitProject("local");
  const target = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: target });
  project.commit(workspace, { "n.txt": "1\n", ".gitignore": "*.log\n" });
  const head = project.commit(workspace, { "n.txt": "2\n" });
  project.write(workspace, {
    "a.txt": "x\n",
    "new/u.txt": "u\n",
    "x.log": "ignored\n",
    "ä b.txt": "",
  });
  rmSync(join(workspace, "b.txt"));
  project.write(workspace, { "staged.txt": "s\n" });
  project.git(workspace, "add", "staged.txt");
  const state = await project.pawl.fetchBranch({ workspace, branch, target });
  expect(state).toEqual({
    head,
    tree: project.git(workspace, "rev-parse", "HEAD^{tree}"),
    ahead: 2,
    bytes: expect.any(Number) as number,
    dirty: ["a.txt", "b.txt", "new/u.txt", "staged.txt", "ä b.txt"],
  });
  expect(project.head(project.hub, branch)).toBe(head);
});

test("a branch is taken although something else is checked out, and that is reported", async () => {
  using project = gitProject("local");
  const target = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: target });
  const head = project.commit(workspace, { "n.txt": "1\n" });
  project.git(workspace, "checkout", "-q", "-b", "other");
  const state = await project.pawl.fetchBranch({ workspace, branch, target });
  expect(state).toMatchObject({ head, elsewhere: "refs/heads/other", dirty: [] });
  project.git(workspace, "branch", "-D", branch);
  const missing = project.pawl.fetchBranch({ workspace, branch, target });
  await expect(missing).rejects.toMatchObject({ code: "branch-missing" });
});

test("history that the agent rewrote replaces the branch in the hub", async () => {
  using project = gitProject("local");
  const target = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: target });
  project.commit(workspace, { "n.txt": "1\n" });
  await project.pawl.fetchBranch({ workspace, branch, target });
  project.git(workspace, "commit", "-q", "--amend", "-m", "other");
  const state = await project.pawl.fetchBranch({ workspace, branch, target });
  expect(state.head).toBe(project.head(workspace));
});

test("nothing that an agent configures in its workspace runs", async () => {
  using project = gitProject("local");
  const target = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: target });
  const trace = join(project.root, "trace");
  const evil = join(project.root, "evil.sh");
  project.commit(workspace, { "n.txt": "1\n", ".gitattributes": "* filter=evil diff=evil\n" });
  project.write(project.root, { "evil.sh": `#!/bin/sh\necho "$@" >> ${trace}\ncat\n` });
  execFileSync("chmod", ["+x", evil]);
  for (const key of ["filter.evil.clean", "diff.evil.textconv", "core.fsmonitor"]) {
    project.git(workspace, "config", key, evil);
  }
  project.git(workspace, "config", "uploadpack.packObjectsHook", evil);
  mkdirSync(join(workspace, ".git", "hooks"));
  for (const hook of ["post-index-change", "reference-transaction"]) {
    execFileSync("cp", [evil, join(workspace, ".git", "hooks", hook)]);
  }
  project.write(workspace, { "a.txt": "edited\n" });
  await project.pawl.fetchBranch({ workspace, branch, target });
  await project.pawl.checkpoint({ workspace, identity: "dev-1", reason: "test" });
  await project.pawl.summary({ workspace, base: target });
  expect(existsSync(trace)).toBe(false);
  project.git(workspace, "status");
  expect(existsSync(trace)).toBe(true);
});

test("a summary holds commits, uncommitted and untracked work, and is cut where it is long", async () => {
  using project = gitProject("local");
  const base = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: base });
  project.commit(workspace, { "n.txt": "committed\n" }, "a first step");
  project.write(workspace, { "a.txt": "uncommitted\n", "u.txt": "untracked\n" });
  const short = await project.pawl.summary({ workspace, base });
  expect(short.log).toContain("a first step");
  expect(short.stat).toContain("3 files changed");
  for (const word of ["+committed", "+uncommitted", "+untracked"])
    expect(short.diff).toContain(word);
  project.write(workspace, { "big.txt": "line of text\n".repeat(20_000) });
  const long = await project.pawl.summary({ workspace, base });
  expect(long.diff.length).toBeLessThan(70_000);
  expect(long.diff).toContain("cut at");
  expect(project.git(workspace, "status", "--porcelain")).toContain("?? u.txt");
});

test("the author of agents' commits and signing come from the configuration", async () => {
  using project = gitProject("local", {
    config: { sign: true, author: { name: 'Bot "B"', email: "bot@example.org" } },
  });
  const from = await project.pawl.fetchTarget();
  const path = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path, branch, from });
  expect(project.git(path, "config", "user.name")).toBe('Bot "B"');
  expect(project.git(path, "config", "commit.gpgSign")).toBe("true");
});
