import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
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

test("with history a check sees the commit and its past, made again each time", async () => {
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

/** What a gate may do to its checkout, each such that git's index alone does not show it. */
const SPOILERS: [name: string, spoil: (path: string, outside: string) => void][] = [
  [
    "moved a folder away and linked it back",
    (path, outside) => {
      renameSync(join(path, "dir"), join(outside, "dir"));
      symlinkSync(join(outside, "dir"), join(path, "dir"));
    },
  ],
  [
    "changed a file and gave it its old size and times",
    (path) => {
      const { atime, mtime } = statSync(join(path, "a.txt"));
      writeFileSync(join(path, "a.txt"), "9\n");
      utimesSync(join(path, "a.txt"), atime, mtime);
    },
  ],
  [
    "kept a hard link to a file",
    (path, outside) => linkSync(join(path, "a.txt"), join(outside, "a")),
  ],
  ["changed the mode of a file", (path) => chmodSync(join(path, "a.txt"), 0o666)],
  [
    "replaced the checkout by a link",
    (path, outside) => {
      renameSync(path, join(outside, "all"));
      symlinkSync(join(outside, "all"), path);
    },
  ],
  [
    "replaced a kept folder by a link",
    (path, outside) => {
      rmSync(join(path, "cache"), { recursive: true, force: true });
      symlinkSync(outside, join(path, "cache"));
    },
  ],
];

test.each(SPOILERS)("a gate that %s does not reach the next checkout", async (_, spoil) => {
  using project = gitProject("local");
  const commit = await project.pawl.fetchTarget();
  const path = join(project.root, "checks", "1");
  const outside = join(project.root, "outside");
  mkdirSync(outside);
  const request = { commit, path, keep: ["cache"], history: false };
  await project.pawl.checkout(request);
  spoil(path, outside);
  await project.pawl.checkout(request);
  expect(lstatSync(path).isDirectory()).toBe(true);
  expect(readdirSync(path, { recursive: true }).map(String).toSorted()).toEqual([
    "a.txt",
    "b.txt",
    "dir",
    "dir/c.txt",
  ]);
  expect(lstatSync(join(path, "dir")).isDirectory()).toBe(true);
  expect(project.read(path, "a.txt")).toBe("1\n");
  expect(lstatSync(join(path, "a.txt"))).toMatchObject({ nlink: 1 });
  expect(lstatSync(join(path, "a.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
});

test("a tracked file inside a kept folder is as the tree has it, and the rest of the folder is kept", async () => {
  using project = gitProject("local");
  const commit = project.commit(project.user, { "cache/.keep": "tracked\n", "a*b/c.txt": "1\n" });
  await project.pawl.fetchTarget();
  const path = join(project.root, "checks", "1");
  const request = { commit, path, keep: ["cache", "pkg/*/out"], history: false };
  await project.pawl.checkout(request);
  project.write(path, { "cache/.keep": "spoiled\n", "cache/built": "1\n", "pkg/one/out/o": "1\n" });
  await project.pawl.checkout(request);
  expect(project.read(path, "cache", ".keep")).toBe("tracked\n");
  expect(project.read(path, "cache", "built")).toBe("1\n");
  expect(project.read(path, "pkg", "one", "out", "o")).toBe("1\n");
});

test.each(["git.checkout.moved-aside", "git.checkout.kept", "git.checkout.files-written"])(
  "a checkout that crashed at %s is completed by the repeat",
  async (point) => {
    using project = gitProject("local");
    const commit = await project.pawl.fetchTarget();
    const path = join(project.root, "checks", "1");
    const request = { commit, path, keep: [], history: false };
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.checkout(request)).rejects.toThrow(point);
    rmSync(join(path, "a.txt"), { force: true });
    await restarted(project).checkout(request);
    expect(readdirSync(path).toSorted()).toEqual(["a.txt", "b.txt", "dir"]);
  },
);
