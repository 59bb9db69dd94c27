// Sparse workspaces and gate checkouts: only some folders are files, and nothing of the rest is lost,
// changed or reported.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { GitProject } from "../support/git-project.ts";
import { gitProject, restarted, restartedBoth } from "../support/git-project.ts";

const branch = "pawl/1";
const identity = "dev-1";
const FILES = {
  "in/a.txt": "a\n",
  "in/deep/b.txt": "b\n",
  "out/c.txt": "c\n",
  "out/deep/d.txt": "d\n",
};

async function prepared(project: GitProject) {
  project.commit(project.user, FILES, "folders");
  const from = await project.pawl.fetchTarget();
  const path = project.workspace(identity);
  await project.pawl.prepareWorkspace({ path, branch, from });
  const save = () => project.pawl.checkpoint({ workspace: path, identity, reason: "test" });
  const tree = (commit: string): string[] =>
    project.git(project.hub, "ls-tree", "-r", "--name-only", commit).split("\n");
  const fetch = () => project.pawl.fetchBranch({ workspace: path, branch, target: from });
  return { from, path, save, tree, fetch };
}

const sparseProject = (): GitProject => gitProject("local", { sparse: ["in"] });
const ALL = ["a.txt", "b.txt", "dir/c.txt", ...Object.keys(FILES)].toSorted();

test("a sparse workspace has its folders and the files above them, and git knows that it is sparse", async () => {
  using project = sparseProject();
  const { path } = await prepared(project);
  expect(project.read(path, "in/deep/b.txt")).toBe("b\n");
  expect(project.read(path, "a.txt")).toBe("1\n");
  expect(existsSync(join(path, "out"))).toBe(false);
  expect(project.git(path, "status", "--porcelain")).toBe("");
  expect(project.git(path, "sparse-checkout", "list")).toBe("in");
  project.git(path, "sparse-checkout", "add", "out/deep");
  expect(project.read(path, "out/deep/d.txt")).toBe("d\n");
});

test("a commit of everything keeps what is outside, and nothing outside counts as changed", async () => {
  using project = sparseProject();
  const { path, fetch, tree } = await prepared(project);
  project.write(path, { "in/new.txt": "n\n" });
  expect((await fetch()).dirty).toEqual(["in/new.txt"]);
  project.commit(path, { "in/a.txt": "changed\n" });
  const { head, dirty, ahead } = await fetch();
  expect([dirty, ahead]).toEqual([[], 1]);
  expect(tree(head)).toEqual([...ALL, "in/new.txt"].toSorted());
});

test("a checkpoint holds what is outside, its files are only those that changed, and it is rebuilt sparse", async () => {
  using project = sparseProject();
  const { from, path, save, tree } = await prepared(project);
  project.write(path, { "in/a.txt": "changed\n", "in/new.txt": "n\n" });
  rmSync(join(path, "in/deep/b.txt"));
  const outcome = await save();
  expect(outcome).toMatchObject({ kind: "saved", skipped: [] });
  if (outcome.kind !== "saved") throw new Error(outcome.kind);
  expect(outcome.files?.toSorted()).toEqual(["in/a.txt", "in/deep/b.txt", "in/new.txt"]);
  const kept = ALL.filter((one) => one !== "in/deep/b.txt");
  expect(tree(outcome.commit)).toEqual([...kept, "in/new.txt"].toSorted());
  expect(await save()).toMatchObject({ kind: "unchanged" });
  const before = project.git(path, "status", "--porcelain");

  expect(await project.pawl.removeWorkspace({ path, identity })).toEqual({ kind: "removed" });
  await project.pawl.prepareWorkspace({ path, branch, from, identity });
  expect(project.git(path, "status", "--porcelain")).toBe(before);
  expect(existsSync(join(path, "out"))).toBe(false);
  expect(project.read(path, "in/new.txt")).toBe("n\n");
  expect(
    await restarted(project).checkpoint({ workspace: path, identity, reason: "again" }),
  ).toMatchObject({ kind: "unchanged" });
});

test("a file that the agent writes outside is saved, comes back, and counts as left out once it is gone", async () => {
  using project = sparseProject();
  const { from, path, save, fetch } = await prepared(project);
  await save();
  project.write(path, { "out/c.txt": "edited\n" });
  const outcome = await save();
  if (outcome.kind !== "saved") throw new Error(outcome.kind);
  expect(project.git(project.hub, "show", `${outcome.commit}:out/c.txt`)).toBe("edited");
  expect((await fetch()).dirty).toEqual(["out/c.txt"]);

  await project.pawl.removeWorkspace({ path, identity });
  await project.pawl.prepareWorkspace({ path, branch, from, identity });
  expect(project.read(path, "out/c.txt")).toBe("edited\n");
  expect(project.git(path, "status", "--porcelain")).toBe("M out/c.txt");
  project.git(path, "checkout", "-q", "out/c.txt");
  project.git(path, "sparse-checkout", "reapply");
  const last = await save();
  if (last.kind !== "saved") throw new Error(last.kind);
  expect(project.git(project.hub, "show", `${last.commit}:out/c.txt`)).toBe("c");
});

test("what lands outside and is merged by the agent is in its checkpoints", async () => {
  using project = sparseProject();
  const { path, save, fetch } = await prepared(project);
  await save();
  project.commit(project.user, { "out/c.txt": "landed\n", "out/more.txt": "m\n" });
  await project.pawl.fetchTarget();
  project.commit(path, { "in/a.txt": "mine\n" });
  project.git(path, "fetch", "-q");
  project.git(path, "merge", "-q", "-m", "merge", "origin/main");
  const outcome = await save();
  if (outcome.kind !== "saved") throw new Error(outcome.kind);
  expect(project.git(project.hub, "show", `${outcome.commit}:out/c.txt`)).toBe("landed");
  expect(project.git(project.hub, "show", `${outcome.commit}:out/more.txt`)).toBe("m");
  expect((await fetch()).dirty).toEqual([]);
});

test("a checkpoint that is put back into a sparse workspace leaves it sparse", async () => {
  using project = sparseProject();
  const { path, save } = await prepared(project);
  project.write(path, { "in/a.txt": "first\n" });
  const first = await save();
  if (first.kind !== "saved") throw new Error(first.kind);
  project.write(path, { "in/a.txt": "second\n" });
  await save();
  const request = { workspace: path, identity, commit: first.commit, mayBegin: async () => true };
  // Also where the setting is gone meanwhile: the workspace is as it was made.
  const { checkpoints } = restartedBoth(project, { sparse: [] });
  expect(await checkpoints.restoreInto(request)).toBe("restored");
  expect(project.read(path, "in/a.txt")).toBe("first\n");
  expect(project.git(path, "status", "--porcelain")).toBe("M in/a.txt");
  expect(existsSync(join(path, "out"))).toBe(false);
});

test.each([true, false])(
  "a gate has a full checkout unless told, with history: %s",
  async (history) => {
    using project = sparseProject();
    const { from } = await prepared(project);
    const path = join(project.root, "checks", "1");
    await project.pawl.checkout({ commit: from, path, keep: [], history });
    expect(project.read(path, "out/c.txt")).toBe("c\n");
    await project.pawl.checkout({ commit: from, path, keep: [], history, sparse: ["in/deep"] });
    expect(project.read(path, "in/a.txt")).toBe("a\n");
    expect(project.read(path, "in/deep/b.txt")).toBe("b\n");
    expect(existsSync(join(path, "out"))).toBe(false);
    const git = (...args: string[]): string => (history ? project.git(path, ...args) : "");
    expect(git("status", "--porcelain")).toBe("");
  },
);
