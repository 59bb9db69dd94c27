// The user's checkout while it is moved forward: what the user does meanwhile, crashes, a full disk.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Commit } from "../../src/core/ids.ts";
import type { GitProject } from "../support/git-project.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

const FILES = { "a.txt": "landed\n", "new/n.txt": "landed\n", dir: "a file instead of a folder\n" };

/** `a.txt` changed, `new/n.txt` added, `b.txt` deleted, the folder `dir` replaced by a file. */
async function candidate(project: GitProject, files: Record<string, string> = FILES) {
  const expected = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  const branch = "pawl/1";
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: expected });
  rmSync(join(workspace, "b.txt"));
  rmSync(join(workspace, "dir"), { recursive: true });
  project.commit(workspace, files);
  const state = await project.pawl.fetchBranch({ workspace, branch, target: expected });
  return { candidate: state.head, expected };
}

const status = (project: GitProject): string =>
  project.git(project.user, "status", "--porcelain", "-uall");
const lock = (project: GitProject): string => join(project.user, ".git", "index.lock");
const area = (project: GitProject): string => join(project.user, ".git", "pawl-landing");

const POINTS = ["git.land.staged", "git.land.moved-aside", "git.land.checkout"];

test.each([...POINTS, "git.land.ref-moved"])(
  "the user cannot commit at %s, when only a part has moved, and nothing of theirs is lost",
  async (point) => {
    using project = gitProject("local");
    project.commit(project.user, { "user.txt": "1\n" });
    const request = await candidate(project);
    let tried: { status: number | null } = { status: 0 };
    const racing = restarted(project, {
      crash: (name) => {
        if (name !== point) return;
        project.write(project.user, { "user.txt": "edited\n" });
        tried = spawnSync("git", ["commit", "-qam", "mine"], { cwd: project.user });
      },
    });
    expect((await racing.land(request)).kind).toBe("landed");
    expect(tried.status).not.toBe(0);
    expect(status(project)).toBe("M user.txt");
    project.git(project.user, "commit", "-qam", "mine");
    expect(project.git(project.user, "show", "--format=", "--name-only", "HEAD")).toBe("user.txt");
  },
);

test.each(POINTS)("a ref that moves at %s leaves the checkout exactly as it was", async (point) => {
  using project = gitProject("local");
  const request = await candidate(project);
  const before = statSync(join(project.user, "a.txt"));
  let target: Commit | undefined;
  const racing = restarted(project, {
    crash: (name) => {
      if (name !== point) return;
      const tree = project.git(project.user, "rev-parse", "main^{tree}");
      const made = project.git(project.user, "commit-tree", tree, "-p", "main", "-m", "theirs");
      project.git(project.user, "update-ref", "refs/heads/main", made);
      target = project.head(project.user, "main");
    },
  });
  expect(await racing.land(request)).toEqual({ kind: "target-moved", target });
  expect(status(project)).toBe("");
  const after = statSync(join(project.user, "a.txt"));
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  expect([existsSync(lock(project)), existsSync(area(project))]).toEqual([false, false]);
});

test.each([...POINTS, "git.land.ref-moved", "git.land.index-moved"])(
  "after a crash at %s the next look at the target leaves the checkout whole and unlocked",
  async (point) => {
    using project = gitProject("local");
    const request = await candidate(project);
    project.write(project.user, { "mine.txt": "staged\n" });
    project.git(project.user, "add", "mine.txt");
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.land(request)).rejects.toThrow(point);
    await restarted(project).fetchTarget();
    expect(status(project)).toBe("A  mine.txt");
    expect([existsSync(lock(project)), existsSync(area(project))]).toEqual([false, false]);
  },
);

test("after a crash, files that the user changed since and a lock they removed are theirs", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const dying = restarted(project, { crash: crashAt("git.land.checkout") });
  await expect(dying.land(request)).rejects.toThrow("git.land.checkout");
  rmSync(lock(project));
  project.write(project.user, { "a.txt": "edited after the crash\n" });
  await restarted(project).fetchTarget();
  expect(project.read(project.user, "a.txt")).toBe("edited after the crash\n");
  expect(status(project)).toBe("M a.txt");
});

type After = (project: GitProject) => void;
const moveOn: After = (project) => {
  const tree = project.git(project.user, "rev-parse", "main^{tree}");
  const made = project.git(project.user, "commit-tree", tree, "-p", "main", "-m", "theirs");
  project.git(project.user, "update-ref", "refs/heads/main", made);
};
const removeLock: After = (project) => rmSync(lock(project));
const AFTER: [what: string, after: After[]][] = [
  ["the target moved on", [moveOn]],
  ["the user removed the lock", [removeLock]],
  ["the user removed the lock and looked at the status", [removeLock, status]],
  ["the user removed the lock and the target moved on", [removeLock, moveOn]],
];

test.each(AFTER)(
  "a landing that happened before a crash is finished where %s",
  async (_, after) => {
    using project = gitProject("local");
    const request = await candidate(project);
    const dying = restarted(project, { crash: crashAt("git.land.ref-moved") });
    await expect(dying.land(request)).rejects.toThrow("git.land.ref-moved");
    for (const one of after) one(project);
    await restarted(project).fetchTarget();
    expect(status(project)).toBe("");
    expect(project.read(project.user, "a.txt")).toBe("landed\n");
    expect([existsSync(lock(project)), existsSync(area(project))]).toEqual([false, false]);
  },
);

test("files of a landing stay where the user changed the index after a crash", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const dying = restarted(project, { crash: crashAt("git.land.ref-moved") });
  await expect(dying.land(request)).rejects.toThrow("git.land.ref-moved");
  rmSync(lock(project));
  project.write(project.user, { "mine.txt": "mine\n" });
  project.git(project.user, "add", "mine.txt");
  await restarted(project).fetchTarget();
  expect(project.read(project.user, "a.txt")).toBe("landed\n");
  expect(project.read(project.user, "new/n.txt")).toBe("landed\n");
  expect(project.git(project.user, "ls-files", "mine.txt")).toBe("mine.txt");
  expect([existsSync(lock(project)), existsSync(area(project))]).toEqual([false, false]);
});

test("a landing that happened before a crash is finished after a git of the user's, not during it", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const dying = restarted(project, { crash: crashAt("git.land.ref-moved") });
  await expect(dying.land(request)).rejects.toThrow("git.land.ref-moved");
  rmSync(lock(project));
  writeFileSync(lock(project), "another git's");
  await restarted(project).fetchTarget();
  expect(project.read(project.user, "a.txt")).toBe("landed\n");
  expect(existsSync(area(project))).toBe(true);
  rmSync(lock(project));
  await restarted(project).fetchTarget();
  expect(status(project)).toBe("");
});

test("an edit between the last look and the move is kept, and the landing is tried again", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const racing = restarted(project, {
    crash: (name) => {
      if (name === "git.land.staged") project.write(project.user, { "a.txt": "mine, just now\n" });
    },
  });
  await expect(racing.land(request)).rejects.toMatchObject({ retryable: true });
  expect(project.read(project.user, "a.txt")).toBe("mine, just now\n");
  expect(status(project)).toBe("M a.txt");
  expect(await restarted(project).land(request)).toMatchObject({ kind: "held", paths: ["a.txt"] });
});

test("a file that the user has staged already, or no longer tracks, stays as it is", async () => {
  using project = gitProject("local");
  const { user } = project;
  const request = await candidate(project);
  project.git(user, "rm", "-q", "--cached", "b.txt");
  project.write(user, { "b.txt": "mine, no longer tracked\n", "new/n.txt": "landed\n" });
  project.git(user, "add", "new/n.txt");
  // Whether git can move such a checkout is git's to say.
  await project.pawl.land(request);
  expect(project.read(user, "b.txt")).toBe("mine, no longer tracked\n");
  expect(project.read(user, "new/n.txt")).toBe("landed\n");
});

test("a full disk leaves the checkout as it was, and the landing goes through when there is room", async ({
  skip,
}) => {
  using project = gitProject("local");
  const disk = join(project.root, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "pawl", disk]);
  if (mounted.status !== 0) return skip("a tmpfs can only be mounted as root");
  try {
    project.git(project.root, "clone", "-q", project.user, join(disk, "user"));
    const user = join(disk, "user");
    const full = { ...project, user };
    const big = Object.fromEntries([1, 2, 3].map((n) => [`z${n}.bin`, "abc\n".repeat(300_000)]));
    const request = await candidate(project, { ...FILES, ...big });
    const options = { upstream: { kind: "local" as const, path: user } };
    writeFileSync(join(disk, "filler"), Buffer.alloc(1_000_000));
    await expect(restarted(project, options).land(request)).rejects.toMatchObject({
      code: "disk-full",
      retryable: true,
    });
    expect(project.head(user)).toBe(request.expected);
    expect(status(full)).toBe("");
    expect([existsSync(lock(full)), existsSync(area(full))]).toEqual([false, false]);
    spawnSync("mount", ["-o", "remount,size=64m", disk]);
    expect((await restarted(project, options).land(request)).kind).toBe("landed");
    expect(status(full)).toBe("");
  } finally {
    spawnSync("umount", ["-l", disk]);
  }
});

test("a checkout whose git folder is on another disk is moved as well", async ({ skip }) => {
  using project = gitProject("local");
  const disk = join(project.root, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=16m", "pawl", disk]);
  if (mounted.status !== 0) return skip("a tmpfs can only be mounted as root");
  try {
    const user = join(project.root, "apart");
    const separate = `--separate-git-dir=${join(disk, "git")}`;
    project.git(project.root, "clone", "-q", separate, project.user, user);
    const request = await candidate(project);
    const options = { upstream: { kind: "local" as const, path: user } };
    expect((await restarted(project, options).land(request)).kind).toBe("landed");
    expect(status({ ...project, user })).toBe("");
    expect(project.read(user, "new/n.txt")).toBe("landed\n");
  } finally {
    spawnSync("umount", ["-l", disk]);
  }
});
