// What a hostile or unlucky workspace could do to a save, a restore and a removal.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { GitOptions } from "../../src/adapters/git-cli/context.ts";
import type { Commit } from "../../src/core/ids.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

const branch = "pawl/1";
const identity = "dev-1";
const MB = 1024 * 1024;

async function prepared(more: Partial<GitOptions> = {}) {
  const project = gitProject("local", more);
  const from = await project.pawl.fetchTarget();
  const workspace = project.workspace(identity);
  await project.pawl.prepareWorkspace({ path: workspace, branch, from });
  const save = async (): Promise<{ commit: Commit; skipped: string[] }> => {
    const outcome = await project.pawl.checkpoint({ workspace, identity, reason: "test" });
    if (outcome.kind === "absent") throw new Error("nothing was saved");
    return outcome;
  };
  const precious = join(project.root, "precious");
  project.write(precious, { "a.txt": "P1\n", "sub/b.txt": "P2\n" });
  return {
    ...project,
    project,
    from,
    workspace,
    save,
    precious,
    into: (commit: Commit) =>
      project.checkpoints.restoreInto({ commit, workspace, identity, mayBegin: async () => true }),
    to: async (commit: Commit): Promise<string> => {
      const path = join(project.root, "restored");
      rmSync(path, { recursive: true, force: true });
      await project.checkpoints.restoreTo({ commit, path });
      return path;
    },
    remove: () => project.pawl.removeWorkspace({ path: workspace, identity }),
  };
}

test("a folder that was a link in the checkpoint is not followed out of the workspace", async () => {
  using at = await prepared();
  symlinkSync(at.precious, join(at.workspace, "data"));
  const asLink = await at.save();
  rmSync(join(at.workspace, "data"));
  at.write(at.workspace, { "data/a.txt": "mine\n", "data/sub/b.txt": "mine\n" });
  const asFolder = await at.save();
  await at.into(asLink.commit);
  expect(lstatSync(join(at.workspace, "data")).isSymbolicLink()).toBe(true);
  expect(at.read(at.precious, "a.txt")).toBe("P1\n");
  await at.into(asFolder.commit);
  expect(at.read(at.workspace, "data/sub/b.txt")).toBe("mine\n");
  expect(at.read(at.precious, "a.txt")).toBe("P1\n");
  expect(at.read(at.precious, "sub/b.txt")).toBe("P2\n");
});

test("a repository inside whose folder became a link is restored in its place, not behind the link", async () => {
  using at = await prepared();
  mkdirSync(join(at.workspace, "lib", "tool"), { recursive: true });
  at.git(join(at.workspace, "lib", "tool"), "init", "-q");
  at.write(at.workspace, { "lib/tool/x": "x\n" });
  at.write(at.precious, { "tool/x": "precious\n" });
  const first = await at.save();
  rmSync(join(at.workspace, "lib"), { recursive: true });
  symlinkSync(at.precious, join(at.workspace, "lib"));
  await at.save();
  await at.into(first.commit);
  expect(at.read(at.precious, "tool/x")).toBe("precious\n");
  expect(at.read(at.workspace, "lib/tool/x")).toBe("x\n");
  expect(existsSync(join(at.workspace, "lib", "tool", ".git", "HEAD"))).toBe(true);
});

test("a `.git` that is a link to the user's repository is neither saved from nor written to", async () => {
  using at = await prepared();
  at.git(at.workspace, "branch", "-f", "main", at.from);
  const first = await at.save();
  const main = at.commit(at.user, { "m.txt": "the user's second commit\n" });
  renameSync(join(at.workspace, ".git"), join(at.workspace, ".git.own"));
  symlinkSync(join(at.user, ".git"), join(at.workspace, ".git"));
  expect((await at.save()).skipped).toContain(".git");
  await at.into(first.commit);
  expect(at.head(at.user, "main")).toBe(main);
  expect(lstatSync(join(at.workspace, ".git")).isDirectory()).toBe(true);
  expect(at.head(at.workspace, "main")).toBe(at.from);
});

test("no filter, hook or setting of the workspace is used by a restore", async () => {
  using at = await prepared();
  at.write(at.workspace, { ".gitattributes": "*.txt filter=evil\n", "new.txt": "1\n" });
  const first = await at.save();
  const ran = join(at.root, "ran");
  for (const kind of ["smudge", "clean", "process"]) {
    at.git(at.workspace, "config", `filter.evil.${kind}`, `touch ${ran}; cat`);
  }
  at.git(at.workspace, "config", "core.fsmonitor", `touch ${ran}`);
  at.write(join(at.workspace, ".git", "hooks"), { "post-checkout": `#!/bin/sh\ntouch ${ran}\n` });
  at.write(at.workspace, { "a.txt": "changed\n", "new.txt": "2\n" });
  await at.save();
  await at.into(first.commit);
  expect(existsSync(ran)).toBe(false);
  expect(at.read(at.workspace, "new.txt")).toBe("1\n");
});

test("what git ignores stays in its place, and what is in the way is moved aside", async () => {
  using at = await prepared();
  at.write(at.workspace, { ".gitignore": "build\nout\n", "new.txt": "1\n", "out.d/x": "x\n" });
  at.git(at.workspace, "add", "-f", "new.txt");
  const first = await at.save();
  at.write(at.workspace, { "build/big.o": "object\n" });
  rmSync(join(at.workspace, "out.d"), { recursive: true });
  rmSync(join(at.workspace, "new.txt"));
  at.write(at.workspace, { ".gitignore": "build\nout\nnew.txt\n", "new.txt/ignored": "here\n" });
  await at.save();
  await at.into(first.commit);
  expect(at.read(at.workspace, "build/big.o")).toBe("object\n");
  expect(at.read(at.workspace, "new.txt")).toBe("1\n");
  expect(at.read(`${at.workspace}.aside-1`, "new.txt/ignored")).toBe("here\n");
});

test("what is only staged, tagged, noted or stashed is saved, with any number of branches", async () => {
  using at = await prepared();
  at.write(at.workspace, { "plan.md": "three hours of work\n", "both.txt": "staged\n" });
  at.git(at.workspace, "add", "plan.md", "both.txt");
  rmSync(join(at.workspace, "plan.md"));
  at.write(at.workspace, { "both.txt": "in the folder\n" });
  const index = at.git(at.workspace, "ls-files", "-s");
  const empty = at.git(at.workspace, "write-tree");
  const commits = Array.from({ length: 90 }, (_, n) =>
    at.git(at.workspace, "commit-tree", "-p", "HEAD", "-m", `work ${n}`, empty),
  );
  const stdin = commits.map((commit, n) => `create refs/heads/b${n} ${commit}\n`).join("");
  const { env } = at.options;
  execFileSync("git", ["update-ref", "--stdin"], { cwd: at.workspace, env, input: stdin });
  const tagged = at.git(at.workspace, "commit-tree", "-m", "only a tag holds it", empty);
  at.git(at.workspace, "tag", "keep-this", tagged);
  at.git(at.workspace, "tag", "-a", "-m", "annotated", "v1", tagged);
  at.git(at.workspace, "notes", "add", "-m", "a note", "HEAD");
  const refs = at.git(at.workspace, "for-each-ref", "--format=%(objectname) %(refname)");
  const { commit, skipped } = await at.save();
  expect(skipped).toEqual([]);
  expect(await at.remove()).toEqual({ kind: "removed" });
  // Nothing but the chain of checkpoints keeps them now.
  at.git(at.hub, "reflog", "expire", "--expire=now", "--all");
  at.git(at.hub, "gc", "-q", "--prune=now");
  const path = await at.to(commit);
  expect(at.git(path, "for-each-ref", "--format=%(objectname) %(refname)")).toBe(refs);
  expect(at.git(path, "ls-files", "-s")).toBe(index);
  expect(at.git(path, "show", ":plan.md")).toBe("three hours of work");
  expect(at.git(path, "show", "v1^{commit}:plan.md")).toBe("three hours of work");
  expect(at.read(path, "both.txt")).toBe("in the folder\n");
  at.git(path, "fsck", "--connectivity-only");
});

test("a conflict that is not resolved is restored with all its stages", async () => {
  using at = await prepared();
  at.git(at.workspace, "checkout", "-q", "-b", "side");
  at.commit(at.workspace, { "a.txt": "side\n" });
  at.git(at.workspace, "checkout", "-q", branch);
  at.commit(at.workspace, { "a.txt": "mine\n" });
  expect(() => at.git(at.workspace, "merge", "-q", "side")).toThrow("Command failed");
  const index = at.git(at.workspace, "ls-files", "-s");
  const path = await at.to((await at.save()).commit);
  expect(at.git(path, "ls-files", "-s")).toBe(index);
});

test("one ref whose objects are broken keeps no other out, is listed, and blocks the removal", async () => {
  using at = await prepared();
  const good = at.commit(at.workspace, { "n.txt": "nowhere else\n" });
  at.write(join(at.workspace, ".git", "refs", "heads"), { broken: `${good}\n` });
  const blob = at.git(at.workspace, "rev-parse", "HEAD:n.txt");
  at.git(at.workspace, "checkout", "-q", "--detach", "HEAD~1");
  at.git(at.workspace, "branch", "-f", branch, "HEAD");
  at.git(at.workspace, "branch", "-f", "fine", "HEAD");
  rmSync(join(at.workspace, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
  const { commit, skipped } = await at.save();
  expect(skipped).toEqual([".git/refs/heads/broken"]);
  const path = await at.to(commit);
  expect(at.git(path, "rev-parse", "fine")).toBe(at.from);
  expect(await at.remove()).toEqual({ kind: "kept", unsaved: [".git/refs/heads/broken"] });
  expect(existsSync(at.workspace)).toBe(true);
});

test("names that git refuses and paths over 4,096 bytes are saved and restored", async () => {
  using at = await prepared();
  at.write(at.workspace, { ".GIT/work.txt": "1\n", "git~1": "2\n", "sub/.Git/x": "3\n" });
  symlinkSync("/etc/hosts", join(at.workspace, ".gitmodules"));
  const deep = `import os
for i in range(25):
    os.mkdir("d" * 200); os.chdir("d" * 200)
open("f", "w").write("deep\\n")`;
  execFileSync("python3", ["-c", deep], { cwd: at.workspace });
  const { commit, skipped } = await at.save();
  expect(skipped).toEqual([]);
  const path = await at.to(commit);
  expect(at.read(path, ".GIT/work.txt")).toBe("1\n");
  expect(at.read(path, "git~1")).toBe("2\n");
  expect(at.read(path, "sub/.Git/x")).toBe("3\n");
  expect(lstatSync(join(path, ".gitmodules")).isSymbolicLink()).toBe(true);
  const look = `cd ${path}; for i in $(seq 25); do cd -P ${"d".repeat(200)} || exit 1; done; cat f`;
  expect(() => execFileSync("bash", ["-c", look], { stdio: "pipe" })).not.toThrow();
  expect(await at.remove()).toEqual({ kind: "removed" });
});

test("a repository in a folder whose name is not UTF-8 is saved and restored, and what is beside it", async () => {
  using at = await prepared();
  const bytes = Buffer.concat([Buffer.from(`${at.workspace}/caf`), Buffer.from([0xe9])]);
  mkdirSync(bytes);
  execFileSync("sh", ["-c", 'cd "$1"/caf* && git init -q && echo x > work', "-", at.workspace]);
  at.write(at.workspace, { "work.txt": "hours of work\n" });
  const { commit, skipped } = await at.save();
  expect(skipped).toEqual([]);
  const path = await at.to(commit);
  expect(at.read(path, "work.txt")).toBe("hours of work\n");
  const inner = Buffer.concat([
    Buffer.from(`${path}/caf`),
    Buffer.from([0xe9]),
    Buffer.from("/work"),
  ]);
  expect(readFileSync(inner, "utf8")).toBe("x\n");
});

test("a shallow clone inside is saved as its files", async () => {
  using at = await prepared();
  const other = join(at.root, "other");
  mkdirSync(other);
  at.git(other, "init", "-q");
  for (const text of ["one", "two"]) at.commit(other, { "o.txt": `${text}\n` }, text);
  at.git(at.workspace, "clone", "-q", "--depth", "1", `file://${other}`, "vendor");
  const { commit, skipped } = await at.save();
  expect(skipped).toEqual([]);
  const path = await at.to(commit);
  expect(at.git(join(path, "vendor"), "log", "--format=%s")).toBe("two");
  expect(at.git(join(path, "vendor"), "status", "--porcelain")).toBe("");
});

test("a large file is saved once it is quiet, or with the removal; an older copy is marked as partial", async () => {
  using at = await prepared();
  const big = join(at.workspace, "big.bin");
  writeFileSync(big, "the beginning");
  await at.save();
  truncateSync(big, 60 * MB);
  appendFileSync(big, "the end");
  const busy = await at.save();
  expect(busy.skipped).toEqual(["big.bin"]);
  expect(await at.checkpoints.content(busy.commit)).toMatchObject({ partial: ["big.bin"] });
  const partial = await at.to(busy.commit);
  expect(existsSync(join(partial, "big.bin"))).toBe(false);
  expect(at.read(partial, "big.bin.partial")).toBe("the beginning");
  expect(await at.remove()).toEqual({ kind: "removed" });
  await at.pawl.prepareWorkspace({ path: at.workspace, branch, from: at.from, identity });
  expect(lstatSync(big).size).toBe(60 * MB + 7);
});

test("a file over the limit keeps its workspace, and nothing else of it is lost", async () => {
  using at = await prepared({ fileMaxBytes: MB });
  at.write(at.workspace, { "huge.bin": "", "ok.txt": "ok\n" });
  truncateSync(join(at.workspace, "huge.bin"), 2 * MB);
  utimesSync(join(at.workspace, "huge.bin"), 1, 1);
  expect(await at.remove()).toEqual({ kind: "kept", unsaved: ["huge.bin"] });
  expect(lstatSync(join(at.workspace, "huge.bin")).size).toBe(2 * MB);
  expect(readdirSync(dirname(at.workspace))).toEqual([identity]);
  rmSync(join(at.workspace, "huge.bin"));
  expect(await at.remove()).toEqual({ kind: "removed" });
  expect(readdirSync(dirname(at.workspace))).toEqual([]);
});

test.each(["", "inner/"])(
  "a file that grew over the limit is moved aside by a restore, not deleted (in %j)",
  async (folder) => {
    using at = await prepared({ fileMaxBytes: MB });
    if (folder !== "") at.git(at.workspace, "init", "-q", folder);
    at.write(at.workspace, { [`${folder}other.txt`]: "other\n" });
    const without = await at.save();
    at.write(at.workspace, { [`${folder}big.bin`]: "small\n" });
    const small = await at.save();
    for (const { commit } of [without, small]) {
      const aside = new Set(readdirSync(dirname(at.workspace)));
      at.write(at.workspace, { [`${folder}big.bin`]: "x".repeat(2 * MB) });
      expect((await at.save()).skipped).toEqual([`${folder}big.bin`]);
      await at.into(commit);
      const made = readdirSync(dirname(at.workspace)).filter((name) => !aside.has(name));
      expect(made).toHaveLength(1);
      const kept = join(dirname(at.workspace), made[0] ?? "", "big.bin");
      expect(lstatSync(kept).size).toBe(2 * MB);
      expect(at.read(at.workspace, `${folder}other.txt`)).toBe("other\n");
      if (commit === without.commit) await at.into(small.commit);
    }
    expect(at.read(at.workspace, `${folder}big.bin`)).toBe("small\n");
  },
);

test("an older copy takes a free name, and not that of another file", async () => {
  using at = await prepared({ fileMaxBytes: MB });
  at.write(at.workspace, { "big.bin": "small\n", "big.bin.partial": "the agent's own\n" });
  await at.save();
  at.write(at.workspace, { "big.bin": "x".repeat(2 * MB) });
  const path = await at.to((await at.save()).commit);
  expect(at.read(path, "big.bin.partial")).toBe("the agent's own\n");
  expect(at.read(path, "big.bin.partial.2")).toBe("small\n");
});

test("a tag too large to be saved is listed, with what leads to it, and the rest is saved", async () => {
  using at = await prepared();
  const tagged = at.commit(at.workspace, { "t.txt": "only the tag has this\n" });
  at.git(at.workspace, "tag", "-a", "-m", "small", "small", tagged);
  at.write(at.root, { message: `${"x".repeat(99)}\n`.repeat(700_000) });
  at.git(at.workspace, "tag", "-a", "-F", join(at.root, "message"), "big", tagged);
  at.git(at.workspace, "tag", "-a", "-m", "leads to it", "outer", "big");
  at.git(at.workspace, "tag", "-a", "-m", "leads to that", "and-outer", "outer");
  at.git(at.workspace, "reset", "-q", "--hard", at.from);
  at.write(at.workspace, { "work.txt": "hours of work\n" });
  const { commit, skipped } = await at.save();
  expect(skipped).toEqual(["and-outer", "big", "outer"].map((name) => `.git/refs/tags/${name}`));
  const path = await at.to(commit);
  expect(at.read(path, "work.txt")).toBe("hours of work\n");
  expect(at.git(path, "tag", "-l")).toBe("small");
  expect(at.git(path, "cat-file", "-t", tagged)).toBe("commit");
  expect(await at.remove()).toMatchObject({ kind: "kept" });
});

test("an edit after the last checkpoint is saved with the removal, also where a crash came between", async () => {
  using at = await prepared();
  await at.save();
  at.write(at.workspace, { "a.txt": "a person's edit\n" });
  const dying = restarted(at.project, { crash: crashAt("git.workspace.renamed") });
  const request = { path: at.workspace, identity };
  await expect(dying.removeWorkspace(request)).rejects.toThrow("git.workspace.renamed");
  expect(existsSync(at.workspace)).toBe(false);
  expect(await at.remove()).toEqual({ kind: "removed" });
  await at.pawl.prepareWorkspace({ path: at.workspace, branch, from: at.from, identity });
  expect(at.read(at.workspace, "a.txt")).toBe("a person's edit\n");
});

test("what git leaves out without a word keeps the workspace: a broken repository inside", async () => {
  using at = await prepared();
  at.write(at.workspace, { "sub/.git/junk": "someone's\n", "sub/y": "y\n" });
  expect(await at.remove()).toEqual({ kind: "kept", unsaved: ["sub/.git/junk"] });
});

test("a lock that an earlier boot of the machine left in the hub is removed at the start", async () => {
  using at = await prepared();
  const lock = join(at.hub, "packed-refs.lock");
  writeFileSync(lock, "");
  await restarted(at.project).fetchTarget();
  expect(existsSync(lock)).toBe(true);
  writeFileSync(join(at.hub, "pawl", "boot"), "@another-boot\n");
  await restarted(at.project).fetchTarget();
  expect(existsSync(lock)).toBe(false);
});
