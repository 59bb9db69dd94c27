import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Commit } from "../../src/core/ids.ts";
import type { GitProject } from "../support/git-project.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

const branch = "pawl/1";
const identity = "dev-1";
const ref = `refs/pawl/checkpoints/${identity}`;

async function prepared(project: GitProject) {
  const from = await project.pawl.fetchTarget();
  const workspace = project.workspace(identity);
  await project.pawl.prepareWorkspace({ path: workspace, branch, from });
  const save = (reason = "test") => project.pawl.checkpoint({ workspace, identity, reason });
  const rebuild = async (checkpoint: Commit) => {
    await project.pawl.removeWorkspace({ path: workspace, identity });
    return project.pawl.prepareWorkspace({ path: workspace, branch, from, checkpoint });
  };
  return { from, workspace, save, rebuild };
}

const saved = (outcome: Awaited<ReturnType<GitProject["pawl"]["checkpoint"]>>): Commit => {
  if (outcome.kind === "absent") throw new Error("nothing was saved");
  return outcome.commit;
};

test("everything an agent did is rebuilt: commits, staged, changed, deleted, untracked, modes, links", async () => {
  using project = gitProject("local");
  const { workspace, save, rebuild } = await prepared(project);
  const head = project.commit(workspace, { "n.txt": "committed\n", ".gitignore": "*.log\n" });
  project.write(workspace, {
    "a.txt": "changed\n",
    "new/deep/u.txt": "untracked\n",
    "x.log": "no\n",
  });
  project.write(workspace, { "staged.txt": "s\n", "run.sh": "#!/bin/sh\n" });
  project.git(workspace, "add", "staged.txt");
  chmodSync(join(workspace, "run.sh"), 0o755);
  symlinkSync("a.txt", join(workspace, "link"));
  rmSync(join(workspace, "dir"), { recursive: true });
  const outcome = await save();
  expect(outcome).toMatchObject({ kind: "saved", skipped: [] });
  const status = project.git(workspace, "status", "--porcelain", "-uall");

  const again = await rebuild(saved(outcome));
  expect(again.head).toBe(head);
  expect(project.head(workspace)).toBe(head);
  expect(project.git(workspace, "symbolic-ref", "HEAD")).toBe(`refs/heads/${branch}`);
  expect(project.read(workspace, "new/deep/u.txt")).toBe("untracked\n");
  expect(lstatSync(join(workspace, "run.sh")).mode & 0o777).toBe(0o755);
  expect(readlinkSync(join(workspace, "link"))).toBe("a.txt");
  const now = project.git(workspace, "status", "--porcelain", "-uall");
  expect(now.replaceAll(/^(.).? /gm, "")).not.toContain("x.log");
  expect(now.split("\n").toSorted()).toEqual(status.split("\n").toSorted());
});

test("the same content is saved once, and the agent's index and refs are not touched", async () => {
  using project = gitProject("local");
  const { workspace, save } = await prepared(project);
  project.write(workspace, { "a.txt": "changed\n" });
  const own = () => readFileSync(join(workspace, ".git", "index"), "latin1");
  const [index, refs] = [own(), project.git(workspace, "show-ref")];
  const first = saved(await save());
  expect(await save()).toEqual({ kind: "unchanged", commit: first, skipped: [] });
  const after = restarted(project);
  const third = await after.checkpoint({ workspace, identity, reason: "after a restart" });
  expect(third).toEqual({ kind: "unchanged", commit: first, skipped: [] });
  expect(own()).toBe(index);
  expect(project.git(workspace, "show-ref")).toBe(refs);
  project.write(workspace, { "a.txt": "again\n" });
  const second = saved(await save());
  expect(project.git(project.hub, "show", `${second}:a.txt`)).toBe("again");
  expect(project.head(project.hub, `${second}^1`)).toBe(first);
});

test("commits stay reachable when the agent throws them away, and stashes too", async () => {
  using project = gitProject("local");
  const { workspace, save, from } = await prepared(project);
  const thrown = project.commit(workspace, { "n.txt": "1\n" });
  await save();
  project.git(workspace, "reset", "-q", "--hard", from);
  for (const text of ["one", "two"]) {
    project.write(workspace, { "a.txt": `${text}\n` });
    project.git(workspace, "stash", "-q");
  }
  const stashes = ["stash@{0}", "stash@{1}"].map((name) => project.head(workspace, name));
  project.git(workspace, "checkout", "-q", "-b", "side");
  const side = project.commit(workspace, { "side.txt": "1\n" });
  project.git(workspace, "checkout", "-q", branch);
  await save();
  const reachable = project.git(project.hub, "rev-list", ref).split("\n");
  expect(reachable).toEqual(expect.arrayContaining([thrown, side, ...stashes]));
  rmSync(workspace, { recursive: true });
  project.git(project.hub, "fsck", "--connectivity-only");
});

test("a workspace is rebuilt with its other branches, its stash and a detached HEAD", async () => {
  using project = gitProject("local");
  const { workspace, save, rebuild, from } = await prepared(project);
  const mine = project.commit(workspace, { "n.txt": "1\n" });
  for (const text of ["one", "two"]) {
    project.write(workspace, { "a.txt": `${text}\n` });
    project.git(workspace, "stash", "-q");
  }
  project.git(workspace, "checkout", "-q", "--detach", from);
  project.write(workspace, { "a.txt": "three\n" });
  const list = project.git(workspace, "stash", "list", "--format=%H");
  await rebuild(saved(await save()));
  expect(project.head(workspace)).toBe(from);
  expect(project.head(workspace, branch)).toBe(mine);
  expect(project.git(workspace, "stash", "list", "--format=%H")).toBe(list);
  expect(project.git(workspace, "status", "--porcelain")).toBe("M a.txt");
});

test("bytes are not converted by any .gitattributes", async () => {
  using project = gitProject("local");
  const { workspace, save, rebuild } = await prepared(project);
  const crlf = Buffer.from("one\r\ntwo\r\n");
  const utf16 = Buffer.from("\uFEFFhello\r\n", "utf16le");
  project.write(workspace, {
    ".gitattributes": "* text=auto\n*.ps1 working-tree-encoding=UTF-16 eol=crlf\n*.id ident\n",
    "crlf.txt": crlf,
    "x.ps1": utf16,
    "x.id": "$Id: 1 $\n",
  });
  await rebuild(saved(await save()));
  expect(readFileSync(join(workspace, "crlf.txt")).equals(crlf)).toBe(true);
  expect(readFileSync(join(workspace, "x.ps1")).equals(utf16)).toBe(true);
  expect(project.read(workspace, "x.id")).toBe("$Id: 1 $\n");
});

test("ignored files that are tracked all the same are saved, also when changed later", async () => {
  using project = gitProject("local");
  const { workspace, save } = await prepared(project);
  project.write(workspace, { ".gitignore": "*.log\n", "kept.log": "1\n" });
  project.git(workspace, "add", "-f", "kept.log");
  await save();
  project.write(workspace, { "kept.log": "2\n" });
  const commit = saved(await save());
  expect(project.git(project.hub, "show", `${commit}:kept.log`)).toBe("2");
});

test.each<[how: string, first: (path: string) => void]>([
  ["too large", () => {}],
  ["gone for a moment", (path) => rmSync(path)],
])(
  "a tracked file that is ignored is saved once it can be, if it was %s before",
  async (_, first) => {
    using project = gitProject("local", { fileMaxBytes: 20 });
    const { workspace, save } = await prepared(project);
    const path = join(workspace, "kept.log");
    project.write(workspace, { ".gitignore": "*.log\n", "kept.log": "over twenty bytes long\n" });
    project.git(workspace, "add", "-f", "kept.log");
    first(path);
    await save();
    writeFileSync(path, "2\n");
    const commit = saved(await save());
    expect(project.git(project.hub, "show", `${commit}:kept.log`)).toBe("2");
    rmSync(path);
    await save();
    writeFileSync(path, "3\n");
    expect(project.git(project.hub, "show", `${saved(await save())}:kept.log`)).toBe("3");
  },
);

test("the last save before a removal looks at tracked files that came to be ignored", async () => {
  using project = gitProject("local");
  const { workspace, save } = await prepared(project);
  rmSync(join(workspace, "b.txt"));
  await save();
  await save();
  project.write(workspace, { ".gitignore": "b.txt\n", "b.txt": "made again\n" });
  expect(await project.pawl.removeWorkspace({ path: workspace, identity })).toEqual({
    kind: "removed",
  });
  expect(project.git(project.hub, "show", `${ref}:b.txt`)).toBe("made again");
});

test("a nested repository is saved with its files and commits, and rebuilt", async () => {
  using project = gitProject("local");
  const { workspace, save, rebuild } = await prepared(project);
  const inner = join(workspace, "lib", "inner");
  const unborn = join(workspace, "unborn");
  for (const folder of [inner, unborn]) {
    mkdirSync(folder, { recursive: true });
    project.git(folder, "init", "-q", "-b", "trunk");
    project.write(folder, { "file.txt": "in a repository without commits\n" });
  }
  const head = project.commit(inner, { "x.txt": "1\n" });
  project.write(inner, { "x.txt": "2\n", "u.txt": "u\n" });
  const first = saved(await save());
  expect((await save()).kind).toBe("unchanged");
  project.write(inner, { "u.txt": "later\n" });
  const second = saved(await save());
  expect(second).not.toBe(first);
  await rebuild(second);
  expect(project.head(inner)).toBe(head);
  expect(project.read(inner, "x.txt")).toBe("2\n");
  expect(project.read(inner, "u.txt")).toBe("later\n");
  expect(project.read(unborn, "file.txt")).toBe("in a repository without commits\n");
  expect(project.git(unborn, "symbolic-ref", "HEAD")).toBe("refs/heads/trunk");
});

test("files that are too large are reported and do not stop the rest", async () => {
  using project = gitProject("local");
  const { workspace, save } = await prepared(project);
  project.write(workspace, { "huge.bin": "", "ok.txt": "ok\n" });
  truncateSync(join(workspace, "huge.bin"), 51 * 1024 * 1024);
  const outcome = await save();
  expect(outcome).toMatchObject({ kind: "saved", skipped: ["huge.bin"] });
  expect(project.git(project.hub, "show", `${saved(outcome)}:ok.txt`)).toBe("ok");
});

// Root reads everything.
test.skipIf(process.getuid?.() === 0)(
  "files and folders that cannot be read are reported and do not stop the rest",
  async () => {
    using project = gitProject("local");
    const { workspace, save } = await prepared(project);
    await save();
    project.write(workspace, { "secret.txt": "s\n", "closed/x.txt": "x\n", "ok.txt": "ok\n" });
    chmodSync(join(workspace, "secret.txt"), 0o000);
    chmodSync(join(workspace, "closed"), 0o000);
    chmodSync(join(workspace, "a.txt"), 0o000);
    project.write(workspace, { "b.txt": "changed\n" });
    const outcome = await save();
    chmodSync(join(workspace, "closed"), 0o755);
    expect(outcome).toMatchObject({ kind: "saved", skipped: ["a.txt", "closed", "secret.txt"] });
    const files = project.git(project.hub, "ls-tree", "-r", "--name-only", saved(outcome));
    expect(files.split("\n")).toEqual(["a.txt", "b.txt", "dir/c.txt", "ok.txt"]);
  },
);

test("a file that became a pipe is reported, a folder that became a file is saved", async () => {
  using project = gitProject("local");
  const { workspace, save } = await prepared(project);
  await save();
  rmSync(join(workspace, "a.txt"));
  execFileSync("mkfifo", [join(workspace, "a.txt")]);
  rmSync(join(workspace, "dir"), { recursive: true });
  rmSync(join(workspace, "b.txt"));
  project.write(workspace, { dir: "now a file\n", "b.txt/inside": "now a folder\n" });
  const outcome = await save();
  expect(outcome).toMatchObject({ kind: "saved", skipped: ["a.txt"] });
  const files = project.git(project.hub, "ls-tree", "-r", "--name-only", saved(outcome));
  expect(files.split("\n")).toEqual(["a.txt", "b.txt/inside", "dir"]);
});

test("names that are no UTF-8, with newlines or magic characters, are saved", async () => {
  using project = gitProject("local");
  const { workspace, save, rebuild } = await prepared(project);
  const odd = Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff, 0xfe, 0x21])]);
  writeFileSync(odd, "odd\n");
  project.write(workspace, { "line\nbreak": "1\n", ":(top)x*[a]": "2\n", '"q" \\': "3\n" });
  await rebuild(saved(await save()));
  expect(readFileSync(odd, "utf8")).toBe("odd\n");
  expect(project.read(workspace, "line\nbreak")).toBe("1\n");
  expect(project.read(workspace, ":(top)x*[a]")).toBe("2\n");
});

test("files are saved although the agent broke or removed its repository", async () => {
  using project = gitProject("local");
  const { workspace, save, rebuild } = await prepared(project);
  const head = project.commit(workspace, { "n.txt": "1\n" });
  await save();
  project.write(workspace, { "n.txt": "2\n" });
  project.write(join(workspace, ".git"), { config: "[broken", index: "broken" });
  expect(await save()).toMatchObject({ kind: "saved", skipped: [".git"] });
  rmSync(join(workspace, ".git"), { recursive: true });
  project.write(workspace, { "n.txt": "3\n" });
  const outcome = await save();
  expect(outcome).toMatchObject({ kind: "saved", skipped: [".git"] });
  await rebuild(saved(outcome));
  expect(project.head(workspace)).toBe(head);
  expect(project.read(workspace, "n.txt")).toBe("3\n");
});

test("a broken private index and a lock left behind cost nothing but time", async () => {
  using project = gitProject("local");
  const { workspace, save } = await prepared(project);
  const first = saved(await save());
  const folder = join(project.hub, "pawl", "checkpoints");
  const [name = ""] = execFileSync("ls", [folder], { encoding: "utf8" }).split("\n");
  writeFileSync(join(folder, name), "broken");
  writeFileSync(join(folder, `${name}.lock`), "");
  expect(await save()).toEqual({ kind: "unchanged", commit: first, skipped: [] });
  project.write(workspace, { "a.txt": "2\n" });
  expect((await save()).kind).toBe("saved");
});

test.each([
  "git.checkpoint.commits-copied",
  "git.checkpoint.commit-written",
  "git.checkpoint.ref-moved",
])("a crash at %s loses nothing that the next save does not have", async (point) => {
  using project = gitProject("local");
  const { workspace, save } = await prepared(project);
  project.write(workspace, { "a.txt": "2\n" });
  const dying = restarted(project, { crash: crashAt(point) });
  const request = { workspace, identity, reason: "dying" };
  await expect(dying.checkpoint(request)).rejects.toThrow(point);
  const commit = saved(await save());
  expect(project.head(project.hub, ref)).toBe(commit);
  expect(project.git(project.hub, "show", `${commit}:a.txt`)).toBe("2");
});

test("two saves at once give one chain", async () => {
  using project = gitProject("local");
  const { workspace, save } = await prepared(project);
  project.write(workspace, { "a.txt": "2\n" });
  const kinds = (await Promise.all([save(), save(), save()]))
    .map((outcome) => outcome.kind)
    .toSorted();
  expect(kinds).toEqual(["saved", "unchanged", "unchanged"]);
});

test("a workspace that is not there is absent, and a branch that went on wins over a checkpoint", async () => {
  using project = gitProject("local");
  const { workspace, save, rebuild, from } = await prepared(project);
  project.write(workspace, { "n.txt": "not committed yet\n" });
  const old = saved(await save());
  const head = project.commit(workspace, { "n.txt": "committed\n" });
  await project.pawl.fetchBranch({ workspace, branch, target: from });
  expect((await rebuild(old)).head).toBe(head);
  expect(project.read(workspace, "n.txt")).toBe("committed\n");
  await project.pawl.removeWorkspace({ path: workspace, identity });
  expect(await save()).toEqual({ kind: "absent" });
});
