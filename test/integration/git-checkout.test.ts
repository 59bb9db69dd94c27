import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

test("a checkout is the files of the tree, without history, with modes, links and line endings", async () => {
  using project = gitProject("local");
  project.write(project.user, {
    "run.sh": "#!/bin/sh\n",
    "w.txt": "one\n",
    ".gitattributes": "w.txt eol=crlf\n",
  });
  chmodSync(join(project.user, "run.sh"), 0o755);
  symlinkSync("a.txt", join(project.user, "link"));
  const commit = project.commit(project.user, {});
  await project.pawl.fetchTarget();
  const path = join(project.root, "checks", "1");
  const made = await project.pawl.checkout({ commit, path, keep: [], history: false });
  expect(made.tree).toBe(project.git(project.user, "rev-parse", "HEAD^{tree}"));
  expect(existsSync(join(path, ".git"))).toBe(false);
  expect(lstatSync(join(path, "run.sh")).mode & 0o111).toBe(0o111);
  expect(readlinkSync(join(path, "link"))).toBe("a.txt");
  expect(readFileSync(join(path, "w.txt"), "utf8")).toBe("one\r\n");
});

test("a used checkout is clean again, but for what is kept", async () => {
  using project = gitProject("local");
  const first = await project.pawl.fetchTarget();
  const path = join(project.root, "checks", "1");
  const keep = ["node_modules", "pkg/cache"];
  await project.pawl.checkout({ commit: first, path, keep, history: false });
  project.write(path, {
    "a.txt": "changed by a check\n",
    "left/over.txt": "x\n",
    ".git/evil": "evil\n",
    "node_modules/m/index.js": "kept\n",
    "pkg/cache/c": "kept\n",
    "pkg/other": "x\n",
    ".gitignore": "left\n",
  });
  project.git(path, "init", "-q", join(path, "nested"));
  project.write(path, { "nested/x.txt": "x\n" });
  rmSync(join(path, "b.txt"));
  rmSync(join(path, "dir"), { recursive: true });
  symlinkSync("/", join(path, "dir"));
  const commit = project.commit(project.user, { "n.txt": "1\n" });
  await project.pawl.fetchTarget();
  await restarted(project).checkout({ commit, path, keep, history: false });
  const files = readdirSync(path, { recursive: true }).map(String).toSorted();
  expect(files).toEqual([
    "a.txt",
    "b.txt",
    "dir",
    "dir/c.txt",
    "n.txt",
    "node_modules",
    "node_modules/m",
    "node_modules/m/index.js",
    "pkg",
    "pkg/cache",
    "pkg/cache/c",
  ]);
  expect(project.read(path, "a.txt")).toBe("1\n");
});

test("with history a check sees the commit and its past, anew each time", async () => {
  using project = gitProject("local");
  const commit = project.commit(project.user, { "n.txt": "1\n" });
  await project.pawl.fetchTarget();
  const path = join(project.root, "checks", "1");
  const request = { commit, path, keep: [], history: true };
  for (let round = 0; round < 2; round += 1) {
    await project.pawl.checkout(request);
    expect(project.head(path)).toBe(commit);
    expect(project.git(path, "rev-list", "--count", "HEAD")).toBe("2");
    expect(project.git(path, "status", "--porcelain")).toBe("");
    project.git(path, "config", "core.hooksPath", "/tmp");
    project.commit(path, { "a.txt": "2\n" });
  }
  await project.pawl.checkout({ ...request, history: false });
  expect(existsSync(join(path, ".git"))).toBe(false);
});

test.each(["git.checkout.files-written", "git.checkout.cleaned"])(
  "a checkout that crashed at %s is completed by the repeat",
  async (point) => {
    using project = gitProject("local");
    const commit = await project.pawl.fetchTarget();
    const path = join(project.root, "checks", "1");
    const request = { commit, path, keep: [], history: false };
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.checkout(request)).rejects.toThrow(point);
    rmSync(join(path, "a.txt"));
    await restarted(project).checkout(request);
    expect(readdirSync(path).toSorted()).toEqual(["a.txt", "b.txt", "dir"]);
  },
);
