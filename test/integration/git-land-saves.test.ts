// What the user saves in their own checkout while a landing moves it, a move of the ref whose end
// was not seen, and a file system without hard links. Nothing of the user's may be lost by any.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  rmSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { link } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { GitProject } from "../support/git-project.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

vi.mock("node:fs/promises", { spy: true });

afterEach(() => {
  vi.mocked(link).mockRestore();
});

async function candidate(project: GitProject, { gone = "" } = {}) {
  const expected = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  const branch = "pawl/1";
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: expected });
  if (gone !== "") {
    rmSync(join(workspace, gone), { recursive: true });
    project.write(workspace, { [gone]: "a file instead of a folder\n" });
  }
  project.commit(workspace, { "a.txt": "landed\n", "new/n.txt": "landed\n" });
  const state = await project.pawl.fetchBranch({ workspace, branch, target: expected });
  return { candidate: state.head, expected };
}

const status = (project: GitProject): string =>
  project.git(project.user, "status", "--porcelain", "-uall");
const left = (project: GitProject): boolean[] =>
  ["index.lock", "pawl-landing"].map((name) => existsSync(join(project.user, ".git", name)));

/** An editor that has a file open since before the landing, and writes to what it has open. */
function editor(project: GitProject, point: string, path = "a.txt") {
  const open = openSync(join(project.user, path), "r+");
  return (name: string): void => {
    if (name !== point) return;
    ftruncateSync(open);
    writeSync(open, "mine, just now\n", 0);
    closeSync(open);
  };
}

test("an edit that is saved while git writes the landed files is kept, and holds the landing", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const { user } = project;
  // Git runs the user's own filters on the landed files, after it was asked about the user's edits.
  const save = `echo 'mine, just now' > '${join(user, "a.txt")}'; cat`;
  project.git(user, "config", "filter.slow.smudge", save);
  project.write(join(user, ".git", "info"), { attributes: "n.txt filter=slow\n" });
  await expect(project.pawl.land(request)).rejects.toMatchObject({ code: "checkout-changed" });
  expect(project.read(user, "a.txt")).toBe("mine, just now\n");
  expect(status(project)).toBe("M a.txt");
  expect(await project.pawl.land(request)).toMatchObject({ kind: "held", paths: ["a.txt"] });
});

test("what an editor writes to a file already moved aside stops the landing before the ref moves", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const racing = restarted(project, { crash: editor(project, "git.land.checkout") });
  await expect(racing.land(request)).rejects.toMatchObject({ code: "checkout-changed" });
  expect(project.head(project.user)).toBe(request.expected);
  expect(project.read(project.user, "a.txt")).toBe("mine, just now\n");
  expect(status(project)).toBe("M a.txt");
});

const KEPT = "a.txt.kept-by-pawl";

test("what an editor writes to a file already moved aside is put beside it after the ref moved", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const racing = restarted(project, { crash: editor(project, "git.land.ref-moved") });
  await expect(racing.land(request)).rejects.toMatchObject({
    code: "edit-kept",
    message: expect.stringContaining(KEPT),
  });
  expect(await racing.land(request)).toEqual({ kind: "landed", commit: request.candidate });
  expect(project.read(project.user, "a.txt")).toBe("landed\n");
  expect(project.read(project.user, KEPT)).toBe("mine, just now\n");
  expect(status(project)).toBe(`?? ${KEPT}`);
  expect(left(project)).toEqual([false, false]);
});

test("the same is put beside it after a crash, and an earlier one of the same name stays", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  project.write(project.user, { [KEPT]: "earlier\n" });
  const write = editor(project, "now");
  const dying = restarted(project, { crash: crashAt("git.land.ref-moved") });
  await expect(dying.land(request)).rejects.toThrow("git.land.ref-moved");
  write("now");
  await restarted(project).fetchTarget();
  expect(project.read(project.user, KEPT)).toBe("earlier\n");
  expect(project.read(project.user, `${KEPT}-2`)).toBe("mine, just now\n");
  expect(project.read(project.user, "a.txt")).toBe("landed\n");
});

test("it is put at the top where the landing has made a file of its folder", async () => {
  using project = gitProject("local");
  const request = await candidate(project, { gone: "dir" });
  const crash = editor(project, "git.land.ref-moved", "dir/c.txt");
  const racing = restarted(project, { crash });
  await expect(racing.land(request)).rejects.toMatchObject({ code: "edit-kept" });
  expect(project.read(project.user, "dir")).toBe("a file instead of a folder\n");
  expect(status(project)).toBe("?? edit.kept-by-pawl");
  expect(project.read(project.user, "edit.kept-by-pawl")).toBe("mine, just now\n");
  expect((await racing.land(request)).kind).toBe("landed");
});

/** A git that does what it is asked, where `script` (which sees `$real`) does not say otherwise. */
function gitWith(project: GitProject, script: string) {
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const bin = join(project.root, "bin");
  project.write(bin, { git: `#!/bin/sh\nreal='${real}'\n${script}\nexec "$real" "$@"\n` });
  chmodSync(join(bin, "git"), 0o755);
  const env = { ...project.options.env, PATH: `${bin}:${process.env["PATH"]}` };
  return restarted(project, { env });
}

test.each([
  ["was killed", "kill -9 $$"],
  ["said that it failed", "exit 1"],
])("a git that moved the ref and %s has landed", async (_, end) => {
  using project = gitProject("local");
  const request = await candidate(project);
  const swap = `if [ "$1 $2 $3" = "update-ref -m pawl: land" ]; then "$real" "$@"; ${end}; fi`;
  const git = gitWith(project, swap);
  expect(await git.land(request)).toEqual({ kind: "landed", commit: request.candidate });
  expect(status(project)).toBe("");
  expect(project.read(project.user, "a.txt")).toBe("landed\n");
  expect(left(project)).toEqual([false, false]);
});

test("a git that was killed before it moved the ref leaves the checkout as it was", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const git = gitWith(project, `[ "$1 $2" = "update-ref -m" ] && kill -9 $$`);
  await expect(git.land(request)).rejects.toMatchObject({ code: "command-killed" });
  expect(project.head(project.user)).toBe(request.expected);
  expect(status(project)).toBe("");
  expect(left(project)).toEqual([false, false]);
});

test("where the ref cannot be read after a git was killed, the next try finishes the landing", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const killed = join(project.root, "killed");
  const git = gitWith(
    project,
    `[ "$1 $2" = "update-ref -m" ] && { "$real" "$@"; touch '${killed}'; kill -9 $$; }
     [ -e '${killed}' ] && [ "$1" = rev-parse ] && kill -9 $$`,
  );
  await expect(git.land(request)).rejects.toMatchObject({ code: "target-unknown" });
  expect(project.read(project.user, "a.txt")).toBe("landed\n");
  expect((await restarted(project).land(request)).kind).toBe("landed");
  expect(status(project)).toBe("");
  expect(project.read(project.user, "a.txt")).toBe("landed\n");
  expect(left(project)).toEqual([false, false]);
});

/** As exFAT, sshfs and some shared folders answer. */
const withoutLinks = (): void => {
  const refused = Object.assign(new Error("EPERM: operation not permitted, link"), {
    code: "EPERM",
  });
  vi.mocked(link).mockRejectedValue(refused);
};

test("a checkout on a file system without hard links is landed in", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  withoutLinks();
  expect((await project.pawl.land(request)).kind).toBe("landed");
  expect(status(project)).toBe("");
  expect(left(project)).toEqual([false, false]);
});

test("without hard links, a lock of another git and a file that the user adds meanwhile stay", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  withoutLinks();
  project.write(join(project.user, ".git"), { "index.lock": "another git's" });
  await expect(project.pawl.land(request)).rejects.toMatchObject({ code: "index-locked" });
  expect(project.read(project.user, ".git", "index.lock")).toBe("another git's");
  rmSync(join(project.user, ".git", "index.lock"));
  const racing = restarted(project, {
    crash: (name) => {
      if (name === "git.land.staged") project.write(project.user, { "new/n.txt": "mine\n" });
    },
  });
  await expect(racing.land(request)).rejects.toMatchObject({ code: "checkout-changed" });
  expect(project.read(project.user, "new/n.txt")).toBe("mine\n");
  expect(project.read(project.user, "a.txt")).toBe("1\n");
});

/**
 * Git tells an edit by time and length, and looks into a file that is as new as the index: an edit of
 * the same length in the second of the last commit shows in no other way.
 */
function editInSameSecond(project: GitProject, path: string): void {
  const { user } = project;
  const second = new Date(Math.floor(Date.now() / 1000 - 60) * 1000);
  // A test cannot set the time that git compares besides.
  project.git(user, "config", "core.trustctime", "false");
  utimesSync(join(user, path), second, second);
  project.git(user, "update-index", "--refresh");
  project.write(user, { [path]: "2\n" });
  for (const file of [path, ".git/index"]) utimesSync(join(user, file), second, second);
}

test("an edit of the same length in the second of the last commit holds the landing", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  editInSameSecond(project, "a.txt");
  expect(await project.pawl.land(request)).toMatchObject({ kind: "held", paths: ["a.txt"] });
  expect(project.read(project.user, "a.txt")).toBe("2\n");
  expect(status(project)).toBe("M a.txt");
});

test("such an edit of another file is still an edit for git after the landing", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  editInSameSecond(project, "b.txt");
  expect((await project.pawl.land(request)).kind).toBe("landed");
  expect(status(project)).toBe("M b.txt");
});

/** The user types this while a landing copies what it needs. */
const typing = (project: GitProject, ...args: string[]) =>
  restarted(project, {
    crash: (name) => {
      if (name === "git.land.objects") project.git(project.user, ...args);
    },
  });

test("a checkout that the user switches to another branch during a landing is not moved", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const { user } = project;
  const switching = typing(project, "checkout", "-q", "-b", "other");
  await expect(switching.land(request)).rejects.toMatchObject({
    code: "checkout-changed",
    retryable: true,
  });
  expect([project.read(user, "a.txt"), status(project)]).toEqual(["1\n", ""]);
  expect(left(project)).toEqual([false, false]);
  expect((await project.pawl.land(request)).kind).toBe("landed");
  expect(project.head(user, "main")).toBe(request.candidate);
  expect([project.read(user, "a.txt"), status(project)]).toEqual(["1\n", ""]);
});

test("a checkout that the user switches to the target during a landing is moved with it", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const { user } = project;
  project.git(user, "checkout", "-q", "-b", "other");
  await expect(typing(project, "checkout", "-q", "main").land(request)).rejects.toMatchObject({
    code: "checkout-changed",
    retryable: true,
  });
  expect(project.head(user, "main")).toBe(request.expected);
  expect((await project.pawl.land(request)).kind).toBe("landed");
  expect([project.read(user, "a.txt"), status(project)]).toEqual(["landed\n", ""]);
});
