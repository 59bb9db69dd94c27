// Chains of checkpoints: read, thinned, archived, restored, and what a lost workspace gets back.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Commit } from "../../src/core/ids.ts";
import { crashAt, gitProject, restartedBoth, type GitProject } from "../support/git-project.ts";

const branch = "pawl/1";
const identity = "dev-1";
const ref = `refs/pawl/checkpoints/${identity}`;
const HOUR_MS = 3_600_000;

async function prepared(project: GitProject) {
  const from = await project.pawl.fetchTarget();
  const workspace = project.workspace(identity);
  await project.pawl.prepareWorkspace({ path: workspace, branch, from });
  const save = async (files: Record<string, string>, reason = "test"): Promise<Commit> => {
    project.write(workspace, files);
    const outcome = await project.pawl.checkpoint({ workspace, identity, reason });
    if (outcome.kind === "absent") throw new Error("nothing was saved");
    return outcome.commit;
  };
  const list = () => project.checkpoints.list({ identity, limit: 1000 });
  const rebuilt = () => project.pawl.prepareWorkspace({ path: workspace, branch, from, identity });
  return { from, workspace, save, list, rebuilt };
}

test("checkpoints are listed newest first, with number, reason and how many files changed", async () => {
  using project = gitProject("local");
  const { workspace, save, list } = await prepared(project);
  await save({ "a.txt": "2\n", "n.txt": "1\n" }, "after a tool");
  project.commit(workspace, { "n.txt": "2\n" });
  const last = await save({ "u.txt": "1\n" }, "phase");
  const entries = await list();
  expect(entries.map(({ number, reason, files }) => ({ number, reason, files }))).toEqual([
    { number: 2, reason: "phase", files: 2 },
    { number: 1, reason: "after a tool", files: 2 },
  ]);
  expect(entries[0]?.commit).toBe(last);
  expect(Math.abs((entries[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000);
});

test("the first checkpoint counts the files that the agent had committed before it", async () => {
  using project = gitProject("local");
  const { from, workspace, save, list } = await prepared(project);
  project.commit(workspace, { "a.txt": "2\n", "n.txt": "1\n" });
  await save({});
  await save({ "u.txt": "1\n" });
  const files = async (base: Commit) =>
    (await project.checkpoints.list({ identity, limit: 10, base })).map((entry) => entry.files);
  expect(await files(from)).toEqual([1, 2]);
  expect((await list()).map((entry) => entry.files)).toEqual([1, 0]);
  // The hub no longer has the commit.
  expect(await files("0123456789012345678901234567890123456789" as Commit)).toEqual([1, 0]);
});

test("a checkpoint shows what differs from its commit, what it skipped, and its difference", async () => {
  using project = gitProject("local");
  const { workspace, save } = await prepared(project);
  await save({ "a.txt": "2\n" });
  rmSync(join(workspace, "b.txt"));
  project.git(workspace, "init", "-q", "inner");
  project.commit(join(workspace, "inner"), { "i.txt": "1\n" });
  project.git(workspace, "config", "unused.key", "x");
  const commit = await save({ "u.txt": "new\n" });
  const content = await project.checkpoints.content(commit);
  expect(content).toMatchObject({ branch, head: project.first, skipped: [] });
  expect(content.changes).toEqual([
    { status: "M", path: "a.txt" },
    { status: "D", path: "b.txt" },
    { status: "A", path: "u.txt" },
  ]);
  expect(content.nested.map(({ path }) => path)).toEqual(["inner"]);
  const { diff, stat } = await project.checkpoints.diff({ commit });
  expect(stat).toContain("u.txt");
  expect(stat).not.toContain("a.txt");
  expect(diff).toContain("+new");
  const whole = await project.checkpoints.diff({ commit, from: project.first });
  expect(whole.stat).toContain("a.txt");
});

/** Gives the newest link of the chain another date, as if it had been made then. */
function backdate(project: GitProject, atMs: number): void {
  const message = project.git(project.hub, "log", "-1", "--format=%B", ref);
  const parents = project.git(project.hub, "log", "-1", "--format=%P", ref).split(" ");
  const date = `@${Math.floor(atMs / 1000)} +0000`;
  const flags = parents.flatMap((parent) => ["-p", parent]);
  const tree = `${ref}^{tree}`;
  const commit = project.git(project.hub, "commit-tree", tree, ...flags, "-m", message);
  const raw = project.git(project.hub, "cat-file", "commit", commit);
  const dated = raw.replaceAll(
    /^(?<who>(?:author|committer) .*>) .*$/gm,
    `$<who> ${date.slice(1)}`,
  );
  const file = join(project.root, "dated");
  writeFileSync(file, `${dated}\n`);
  const made = project.git(project.hub, "hash-object", "-t", "commit", "-w", file);
  project.git(project.hub, "update-ref", ref, made);
}

test.each(["git.thin.rewritten", "git.thin.moved"])(
  "older checkpoints are thinned, the newest keeps every byte, also after a crash at %s",
  async (point) => {
    using project = gitProject("local");
    const { workspace, save, list, rebuilt } = await prepared(project);
    const now = Date.now();
    for (let count = 0; count < 12; count += 1) {
      project.commit(workspace, { "n.txt": `${count}\n` }, `commit ${count}`);
      await save({ "u.txt": `${count}\n` }, `number ${count + 1}`);
      // Twelve within ten minutes, three hours ago, but for the last two.
      const stretch = Math.floor((now - 3 * HOUR_MS) / 600_000) * 600_000;
      if (count < 10) backdate(project, stretch + count * 20_000);
    }
    project.git(workspace, "stash", "-u", "-q");
    await save({ "last.txt": "1\n" }, "the last");
    const head = project.head(workspace);
    const dying = restartedBoth(project, { crash: crashAt(point) });
    await expect(dying.checkpoints.thin({ now })).rejects.toThrow(point);
    await restartedBoth(project).checkpoints.thin({ now });
    expect((await list()).map(({ number }) => number)).toEqual([13, 12, 11, 10]);
    expect(await project.checkpoints.thin({ now })).toBe(0);
    project.git(project.hub, "fsck", "--connectivity-only");
    // Nothing but what the chain refers to is left: the newest must still be whole.
    project.git(project.hub, "gc", "-q", "--prune=now");
    rmSync(workspace, { recursive: true });
    expect((await rebuilt()).head).toBe(head);
    expect(project.read(workspace, "last.txt")).toBe("1\n");
    expect(project.git(workspace, "stash", "list")).toContain("stash@{0}");
    expect(project.git(workspace, "log", "--format=%s", "-1")).toBe("commit 11");
    await save({ "after.txt": "1\n" });
    expect((await list())[0]?.number).toBe(14);
  },
);

test("landed work is kept apart for 30 days, and the next life starts afresh", async () => {
  using project = gitProject("local");
  const { workspace, save, list, rebuilt } = await prepared(project);
  await save({ "u.txt": "1\n" });
  const at = Date.now();
  await project.pawl.removeWorkspace({ path: workspace, identity });
  const dying = restartedBoth(project, { crash: crashAt("git.archive.copied") });
  await expect(dying.checkpoints.archive({ identity, at })).rejects.toThrow("archive");
  await project.checkpoints.archive({ identity, at });
  await project.checkpoints.archive({ identity, at });
  expect(await project.checkpoints.identities()).toEqual([]);
  expect((await list()).length).toBe(1);
  await rebuilt();
  expect(existsSync(join(workspace, "u.txt"))).toBe(false);
  expect(await project.checkpoints.thin({ now: at + 29 * 24 * HOUR_MS })).toBe(0);
  expect(await project.checkpoints.thin({ now: at + 31 * 24 * HOUR_MS })).toBe(1);
  expect(await list()).toEqual([]);
});

test("a checkpoint is restored into a folder of its own, and never over something", async () => {
  using project = gitProject("local");
  const { save } = await prepared(project);
  const first = await save({ "u.txt": "first\n" });
  await save({ "u.txt": "second\n" });
  const path = join(project.root, "restored", "here");
  const dying = restartedBoth(project, { crash: crashAt("git.restore.built") });
  await expect(dying.checkpoints.restoreTo({ commit: first, path })).rejects.toThrow("built");
  await project.checkpoints.restoreTo({ commit: first, path });
  expect(project.read(path, "u.txt")).toBe("first\n");
  expect(project.git(path, "status", "--porcelain")).toBe("?? u.txt");
  expect(readdirSync(join(project.root, "restored"))).toEqual(["here"]);
  await expect(project.checkpoints.restoreTo({ commit: first, path })).rejects.toThrow(
    "it already exists",
  );
});

test("a workspace is put back in place: saved first, ignored files stay, later ones go", async () => {
  using project = gitProject("local");
  const { workspace, save, list } = await prepared(project);
  project.commit(workspace, { ".gitignore": "deps/\n" });
  const first = await save({ "u.txt": "first\n", "deps/d.txt": "ignored\n" });
  project.commit(workspace, { "later.txt": "1\n" });
  await save({ "u.txt": "second\n", "new/v.txt": "1\n" });
  const mayBegin = async (): Promise<boolean> => true;
  const request = { commit: first, workspace, identity, mayBegin };
  expect(await project.checkpoints.restoreInto({ ...request, mayBegin: async () => false })).toBe(
    "refused",
  );
  expect(project.read(workspace, "u.txt")).toBe("second\n");
  project.write(workspace, { "u.txt": "third\n" });
  const dying = restartedBoth(project, { crash: crashAt("git.restore.overlaid") });
  await expect(dying.checkpoints.restoreInto(request)).rejects.toThrow("overlaid");
  expect(await project.checkpoints.restoreInto(request)).toBe("restored");
  expect(project.read(workspace, "u.txt")).toBe("first\n");
  expect(project.read(workspace, "deps/d.txt")).toBe("ignored\n");
  expect(existsSync(join(workspace, "new"))).toBe(false);
  expect(existsSync(join(workspace, "later.txt"))).toBe(false);
  expect(project.git(workspace, "status", "--porcelain")).toBe("?? u.txt");
  // What was there before is on the chain.
  const saved = (await list()).findLast(({ reason }) => reason.startsWith("before checkpoint"));
  expect(project.git(project.hub, "show", `${saved?.commit}:u.txt`)).toBe("third");
  rmSync(workspace, { recursive: true });
  expect(await project.checkpoints.restoreInto(request)).toBe("restored");
  expect(project.read(workspace, "u.txt")).toBe("first\n");
});

test("a workspace deleted by hand is rebuilt from what was saved before the deletion began", async () => {
  using project = gitProject("local");
  const { workspace, save, rebuilt } = await prepared(project);
  project.commit(workspace, { "n.txt": "committed\n" });
  await save({ "u.txt": "1\n", "v.txt": "1\n", "w.txt": "1\n", "x.txt": "1\n" });
  // Half of a `rm -rf` is seen by a checkpoint.
  for (const name of readdirSync(workspace)) {
    if (name !== ".git" && name !== "x.txt") rmSync(join(workspace, name), { recursive: true });
  }
  await save({});
  rmSync(workspace, { recursive: true });
  expect((await rebuilt()).found).toBe(false);
  expect(project.read(workspace, "u.txt")).toBe("1\n");
  expect(project.read(workspace, "n.txt")).toBe("committed\n");
});

test.each([".git/HEAD", ".git/objects", ".git/refs", ".git/pawl-complete", ".git"])(
  "a workspace that lost its %s is made again, and what was left of it is moved aside",
  async (lost) => {
    using project = gitProject("local");
    const { workspace, save, rebuilt } = await prepared(project);
    const head = project.commit(workspace, { "n.txt": "committed\n" });
    await save({ "u.txt": "1\n" });
    rmSync(join(workspace, lost), { recursive: true });
    project.write(workspace, { "unsaved.txt": "1\n" });
    expect(await rebuilt()).toMatchObject({ found: false, head });
    expect(project.read(workspace, "u.txt")).toBe("1\n");
    expect(project.read(`${workspace}.aside-1`, "unsaved.txt")).toBe("1\n");
  },
);

test("another issue that has the identity's name does not inherit its files", async () => {
  using project = gitProject("local");
  const { from, workspace, save } = await prepared(project);
  await save({ "u.txt": "1\n" });
  rmSync(workspace, { recursive: true });
  const other = { path: workspace, branch: "pawl/1-something-else", from, identity };
  expect((await project.pawl.prepareWorkspace(other)).head).toBe(from);
  expect(existsSync(join(workspace, "u.txt"))).toBe(false);
});

test("packing loses nothing, and sweeping only what nothing has needed for 30 days", async () => {
  using project = gitProject("local");
  const { save } = await prepared(project);
  const saved = await save({ "u.txt": "1\n" });
  const names = Array.from({ length: 2_100 }, (_, index) => join(project.root, `loose-${index}`));
  for (const name of names) writeFileSync(name, `${name}\n`);
  const list = join(project.root, "names");
  writeFileSync(list, names.join("\n"));
  const script = 'git hash-object -w --stdin-paths < "$1"';
  const env = { ...process.env, GIT_DIR: project.hub };
  const written = execFileSync("sh", ["-c", script, "sh", list], { env, encoding: "utf8" });
  const [unreferenced = ""] = written.split("\n");
  const loose = (): number => Number.parseInt(project.git(project.hub, "count-objects"), 10);
  const now = Date.now();
  await project.checkpoints.tidy({ now });
  expect(loose()).toBeLessThan(100);
  await project.checkpoints.tidy({ now: now + 8 * 24 * HOUR_MS });
  expect(project.git(project.hub, "cat-file", "-t", unreferenced)).toBe("blob");
  expect(project.git(project.hub, "show", `${saved}:u.txt`)).toBe("1");
});

test("a hub that was swept while the clock was ahead is swept again", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const now = Date.now();
  await project.checkpoints.tidy({ now });
  const stamp = join(project.hub, "pawl", "swept");
  const ahead = new Date(now + 300 * 24 * HOUR_MS);
  utimesSync(stamp, ahead, ahead);
  await project.checkpoints.tidy({ now });
  expect(statSync(stamp).mtimeMs).toBeLessThan(now + HOUR_MS);
});

test.each([
  ["the hub", "."],
  ["a submodule's cache", "pawl/submodules/abc.git"],
])("what a fetch into %s left goes after a day, if it was ended", async (_, repository) => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const packs = join(project.hub, repository, "objects", "pack");
  mkdirSync(packs, { recursive: true });
  const left = join(packs, "tmp_pack_abc123");
  writeFileSync(left, "half of a pack");
  const now = Date.now();
  await project.checkpoints.tidy({ now });
  expect(existsSync(left)).toBe(true);
  await project.checkpoints.tidy({ now: now + 25 * HOUR_MS });
  expect(existsSync(left)).toBe(false);
});
