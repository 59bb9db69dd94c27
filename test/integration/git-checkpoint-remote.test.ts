// Checkpoints on a private remote, and a new machine that takes up from there.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crashAt, gitProject, restartedBoth, type GitProject } from "../support/git-project.ts";

const branch = "pawl/1";
const identity = "dev-1";
const ref = `refs/pawl/checkpoints/${identity}`;

async function withRemote(project: GitProject) {
  const backup = join(project.root, "backup.git");
  project.git(project.root, "init", "-q", "--bare", backup);
  const from = await project.pawl.fetchTarget();
  const workspace = project.workspace(identity);
  await project.pawl.prepareWorkspace({ path: workspace, branch, from });
  const save = (files: Record<string, string>) => {
    project.write(workspace, files);
    return project.pawl.checkpoint({ workspace, identity, reason: "test" });
  };
  const commit = async (files: Record<string, string>): Promise<void> => {
    project.commit(workspace, files);
    await project.pawl.fetchBranch({ workspace, branch, target: from });
  };
  return { backup, from, workspace, save, commit };
}

/** Another machine: a hub of its own, the same upstream. */
const elsewhere = (project: GitProject) =>
  restartedBoth(project, { hub: join(project.root, "elsewhere", "hub.git") });

test("a new machine gets commits and files back, and goes on sending", async () => {
  using project = gitProject("local");
  const { backup, from, save, commit } = await withRemote(project);
  project.git(project.user, "remote", "add", "backup", backup);
  await commit({ "n.txt": "committed\n" });
  await save({ "u.txt": "untracked\n" });
  expect(await project.checkpoints.push({ to: "backup" })).toEqual({ kind: "pushed", refs: 2 });
  expect(await project.checkpoints.push({ to: "backup" })).toEqual({ kind: "pushed", refs: 0 });

  const other = elsewhere(project);
  await other.git.fetchTarget();
  const [recovered] = await other.checkpoints.recover({ from: backup });
  expect(recovered).toMatchObject({ identity, branch, kind: "fetched" });
  expect(await other.checkpoints.recover({ from: backup })).toMatchObject([{ kind: "current" }]);
  const path = join(project.root, "elsewhere", "dev-1");
  await other.git.prepareWorkspace({ path, branch, from, identity });
  expect(project.read(path, "u.txt")).toBe("untracked\n");
  expect(project.read(path, "n.txt")).toBe("committed\n");
  expect(project.git(path, "status", "--porcelain")).toBe("?? u.txt");

  // What it sends now is its own to send; the old machine, back from the dead, is refused.
  project.write(path, { "u.txt": "gone on\n" });
  await other.git.checkpoint({ workspace: path, identity, reason: "test" });
  expect(await other.checkpoints.push({ to: backup })).toEqual({ kind: "pushed", refs: 1 });
  await save({ "u.txt": "too late\n" });
  expect(await project.checkpoints.push({ to: "backup" })).toEqual({
    kind: "refused",
    refs: [ref],
  });
  expect(project.git(backup, "show", `${ref}:u.txt`)).toBe("gone on");
  expect(await project.checkpoints.recover({ from: backup }).catch(String)).toMatchObject([
    { kind: "kept" },
  ]);
});

test("a crash between sending and remembering it costs nothing", async () => {
  using project = gitProject("local");
  const { backup, save } = await withRemote(project);
  await save({ "u.txt": "1\n" });
  const dying = restartedBoth(project, { crash: crashAt("git.checkpoints.pushed") });
  await expect(dying.checkpoints.push({ to: backup })).rejects.toThrow("pushed");
  await save({ "u.txt": "2\n" });
  const again = restartedBoth(project);
  expect(await again.checkpoints.push({ to: backup })).toEqual({ kind: "pushed", refs: 1 });
  expect(project.git(backup, "show", `${ref}:u.txt`)).toBe("2");
});

test("a chain that was archived is removed from the remote too, and no other chain is", async () => {
  using project = gitProject("local");
  const { backup, save } = await withRemote(project);
  await save({ "u.txt": "1\n" });
  await project.checkpoints.push({ to: backup });
  project.git(backup, "update-ref", "refs/pawl/checkpoints/dev-9", ref);
  await project.checkpoints.archive({ identity, at: 1 });
  expect(await project.checkpoints.push({ to: backup })).toEqual({ kind: "pushed", refs: 1 });
  expect(project.git(backup, "for-each-ref", "--format=%(refname)")).toBe(
    "refs/pawl/checkpoints/dev-9",
  );
});

test("a recovery that was cut short is repeated", async () => {
  using project = gitProject("local");
  const { backup, save } = await withRemote(project);
  await save({ "u.txt": "1\n" });
  await project.checkpoints.push({ to: backup });
  const hub = join(project.root, "elsewhere", "hub.git");
  const dying = restartedBoth(project, { hub, crash: crashAt("git.recover.fetched") });
  await expect(dying.checkpoints.recover({ from: backup })).rejects.toThrow("fetched");
  const other = elsewhere(project);
  expect(await other.checkpoints.recover({ from: backup })).toMatchObject([{ kind: "current" }]);
  expect(await other.checkpoints.push({ to: backup })).toMatchObject({ kind: "pushed" });
});

test("a remote that is not there is said, with what to do", async () => {
  using project = gitProject("local");
  const { save } = await withRemote(project);
  await save({ "u.txt": "1\n" });
  await expect(project.checkpoints.push({ to: "nowhere" })).rejects.toThrow(
    "has no remote of that name",
  );
  await expect(project.checkpoints.push({ to: "/no/such/folder" })).rejects.toMatchObject({
    code: "remote-unreachable",
    retryable: true,
  });
  expect(existsSync(join(project.hub, "pawl", "sent"))).toBe(false);
});
