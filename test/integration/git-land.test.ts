import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Commit } from "../../src/core/ids.ts";
import type { GitProject } from "../support/git-project.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

/** A candidate made by an agent: `a.txt` changed, `new/n.txt` added, `b.txt` deleted. */
async function candidate(project: GitProject): Promise<{ candidate: Commit; expected: Commit }> {
  const expected = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  const branch = "pawl/1";
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: expected });
  rmSync(join(workspace, "b.txt"));
  project.commit(workspace, { "a.txt": "landed\n", "new/n.txt": "landed\n" });
  const state = await project.pawl.fetchBranch({ workspace, branch, target: expected });
  return { candidate: state.head, expected };
}

const status = (project: GitProject): string =>
  project.git(project.user, "status", "--porcelain", "-uall");

test("a landing moves the target and the user's checkout together", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  expect(await project.pawl.land(request)).toEqual({ kind: "landed", commit: request.candidate });
  expect(project.head(project.user)).toBe(request.candidate);
  expect(status(project)).toBe("");
  expect(project.read(project.user, "new/n.txt")).toBe("landed\n");
  expect(existsSync(join(project.user, "b.txt"))).toBe(false);
  expect(project.head(project.hub, "refs/pawl/target/main")).toBe(request.candidate);
  expect(project.git(project.user, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  expect(existsSync(join(project.user, ".git", "FETCH_HEAD"))).toBe(false);
});

test("the user's edits elsewhere stay: staged, unstaged, deleted and untracked", async () => {
  using project = gitProject("local");
  project.commit(project.user, { "s.txt": "1\n", "d.txt": "1\n", "e.txt": "1\n" });
  const request = await candidate(project);
  project.write(project.user, { "s.txt": "staged\n", "e.txt": "edited\n", "u.txt": "u\n" });
  project.git(project.user, "add", "s.txt");
  rmSync(join(project.user, "d.txt"));
  const before = status(project);
  expect((await project.pawl.land(request)).kind).toBe("landed");
  expect(status(project)).toBe(before);
  expect(project.read(project.user, "a.txt")).toBe("landed\n");
});

test.each([
  ["an unstaged edit", "a.txt", false],
  ["a staged edit", "a.txt", true],
  ["an edit of a deleted file", "b.txt", false],
  ["an untracked file", "new/n.txt", false],
  ["a staged new file", "new/n.txt", true],
  ["an untracked file instead of a folder", "new", false],
])("%s where the landing writes holds it, and nothing moves", async (_, path, staged) => {
  using project = gitProject("local");
  const request = await candidate(project);
  project.write(project.user, { [path]: "mine\n" });
  if (staged) project.git(project.user, "add", path);
  const before = status(project);
  const outcome = await project.pawl.land(request);
  expect(outcome).toMatchObject({ kind: "held", paths: [path] });
  expect(project.head(project.user)).toBe(request.expected);
  expect(project.read(project.user, path)).toBe("mine\n");
  expect(status(project)).toBe(before);
});

test("an ignored file of the user is not written over", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  project.write(join(project.user, ".git", "info"), { exclude: "new/\n" });
  project.write(project.user, { "new/n.txt": "secret\n" });
  expect(await project.pawl.land(request)).toMatchObject({ kind: "held", paths: ["new/n.txt"] });
  expect(project.read(project.user, "new/n.txt")).toBe("secret\n");
});

test("a touched file is no edit", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  execFileSync("touch", ["-d", "2001-01-01", join(project.user, "a.txt")]);
  expect((await project.pawl.land(request)).kind).toBe("landed");
  expect(status(project)).toBe("");
});

test("a linked checkout of the target is moved, and the main one left alone", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const linked = join(project.root, "linked tree");
  project.git(project.user, "checkout", "-q", "-b", "other");
  project.git(project.user, "worktree", "add", "-q", linked, "main");
  project.write(project.user, { "a.txt": "mine\n" });
  expect((await project.pawl.land(request)).kind).toBe("landed");
  expect(project.git(linked, "status", "--porcelain")).toBe("");
  expect(project.read(linked, "a.txt")).toBe("landed\n");
  expect(project.read(project.user, "a.txt")).toBe("mine\n");
});

test("where something else is checked out, only the ref moves", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  project.git(project.user, "checkout", "-q", "--detach");
  expect((await project.pawl.land(request)).kind).toBe("landed");
  expect(project.head(project.user, "main")).toBe(request.candidate);
  expect(project.head(project.user)).toBe(request.expected);
  expect(status(project)).toBe("");
});

test("a bare repository of the user's is landed on", async () => {
  using project = gitProject("remote");
  const upstream = { kind: "local" as const, path: project.remote };
  const request = await candidate(project);
  const outcome = await restarted(project, { upstream }).land(request);
  expect(outcome.kind).toBe("landed");
  expect(project.head(project.remote, "main")).toBe(request.candidate);
});

test("a target that someone else moved is told, and is in the hub", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const target = project.commit(project.user, { "z.txt": "1\n" });
  expect(await project.pawl.land(request)).toEqual({ kind: "target-moved", target });
  expect(project.head(project.hub, "refs/pawl/target/main")).toBe(target);
  expect(status(project)).toBe("");
});

test("a target moved while the checkout was being moved is told, and the checkout is put back", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  let target = request.expected;
  const racing = restarted(project, {
    crash: (name) => {
      if (name !== "git.land.checkout") return;
      const tree = project.git(project.user, "rev-parse", "main^{tree}");
      const made = project.git(project.user, "commit-tree", tree, "-p", "main", "-m", "theirs");
      project.git(project.user, "update-ref", "refs/heads/main", made);
      target = project.head(project.user, "main");
    },
  });
  expect(await racing.land(request)).toEqual({ kind: "target-moved", target });
  expect(status(project)).toBe("");
});

test("another git at work in the checkout is worth another try", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  const lock = join(project.user, ".git", "index.lock");
  writeFileSync(lock, "");
  await expect(project.pawl.land(request)).rejects.toMatchObject({
    code: "index-locked",
    retryable: true,
  });
  expect(project.head(project.user)).toBe(request.expected);
  rmSync(lock);
  expect((await project.pawl.land(request)).kind).toBe("landed");
});

test("conflicts that the user is resolving hold the landing", async () => {
  using project = gitProject("local");
  project.git(project.user, "checkout", "-q", "-b", "other");
  project.commit(project.user, { "dir/c.txt": "other\n" });
  project.git(project.user, "checkout", "-q", "main");
  project.commit(project.user, { "dir/c.txt": "main\n" });
  const request = await candidate(project);
  expect(() => project.git(project.user, "merge", "-q", "other")).toThrow(/merge/);
  const outcome = await project.pawl.land(request);
  expect(outcome).toMatchObject({ kind: "held", paths: ["dir/c.txt"] });
  expect(project.head(project.user, "main")).toBe(request.expected);
});

test("a rebase of the target that the user is in the middle of holds the landing", async () => {
  using project = gitProject("local");
  project.git(project.user, "checkout", "-q", "-b", "other");
  project.commit(project.user, { "o.txt": "1\n" });
  project.git(project.user, "checkout", "-q", "main");
  project.commit(project.user, { "m.txt": "1\n" });
  const request = await candidate(project);
  expect(() => project.git(project.user, "rebase", "-q", "-x", "false", "other")).toThrow(/rebase/);
  expect(await project.pawl.land(request)).toMatchObject({
    kind: "held",
    why: expect.stringContaining("a rebase of main is in progress"),
  });
  expect(project.head(project.user, "main")).toBe(request.expected);
});

const points = [
  "git.land.before-objects",
  "git.land.objects",
  "git.land.staged",
  "git.land.moved-aside",
  "git.land.checkout",
  "git.land.ref-moved",
  "git.land.index-moved",
  "git.land.followed",
];
test.each(points)("a landing that crashed at %s is finished by the repeat", async (point) => {
  using project = gitProject("local");
  project.commit(project.user, { "s.txt": "1\n" });
  const request = await candidate(project);
  project.write(project.user, { "s.txt": "staged\n" });
  project.git(project.user, "add", "s.txt");
  const before = status(project);
  const dying = restarted(project, { crash: crashAt(point) });
  await expect(dying.land(request)).rejects.toThrow(point);
  const outcome = await restarted(project).land(request);
  expect(outcome).toEqual({ kind: "landed", commit: request.candidate });
  expect(project.head(project.user)).toBe(request.candidate);
  expect(project.head(project.hub, "refs/pawl/target/main")).toBe(request.candidate);
  expect(status(project)).toBe(before);
});

test("a landing is known as landed when the target has gone on since", async () => {
  using project = gitProject("local");
  const request = await candidate(project);
  await project.pawl.land(request);
  project.commit(project.user, { "later.txt": "1\n" });
  expect((await restarted(project).land(request)).kind).toBe("landed");
});

test("a candidate that does not contain the target is refused", async () => {
  using project = gitProject("local");
  const { candidate: head, expected } = await candidate(project);
  await project.pawl.land({ candidate: head, expected });
  const backwards = project.pawl.land({ candidate: expected, expected: head });
  await expect(backwards).rejects.toMatchObject({ code: "not-a-fast-forward" });
});

test("a person's branch goes from their repository once it landed, unless it moved or is checked out", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const { user } = project;
  const heads = ["gone", "moved", "there"].map((name) => {
    project.git(user, "checkout", "-q", "-b", name, "main");
    return [name, project.commit(user, { [`${name}.txt`]: "1\n" })] as const;
  });
  project.git(user, "checkout", "-q", "moved");
  project.commit(user, { "moved.txt": "2\n" });
  project.git(user, "checkout", "-q", "there");
  for (const [branch, head] of heads) {
    await project.pawl.adoptBranches({ branches: [branch] });
    await project.pawl.deleteBranch({ branch, head });
    await project.pawl.deleteBranch({ branch, head });
  }
  const left = project.git(user, "branch", "--format=%(refname:short)").split("\n");
  expect(left).toEqual(["main", "moved", "there"]);
});

test.each(["rebase", "merge", "squash"] as const)(
  "by %s, commits that change nothing in sum add nothing",
  async (strategy) => {
    using project = gitProject("local");
    const onto = await project.pawl.fetchTarget();
    const { user } = project;
    project.git(user, "checkout", "-q", "-b", "void");
    project.commit(user, { "a.txt": "2\n" });
    project.commit(user, { "a.txt": "1\n" });
    const adopted = (await project.pawl.adoptBranches({ branches: ["void"] }))[0];
    if (adopted === undefined) throw new Error("not adopted");
    const heads = [{ branch: "void", head: adopted.head, message: "nothing" }];
    const built = await project.pawl.buildCandidate({ onto, heads, strategy, ref: "1" });
    expect(built).toMatchObject({ kind: "built", commit: onto, tips: [onto] });
  },
);

test("a branch that was brought into the hub and not noted is brought there again", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  project.git(project.user, "checkout", "-q", "-b", "x");
  const head = project.commit(project.user, { "x.txt": "1\n" }, "X");
  const crashing = restarted(project, { crash: crashAt("git.adopt.fetched") });
  await expect(crashing.adoptBranches({ branches: ["x"] })).rejects.toThrow("crashed at");
  expect((await restarted(project).adoptBranches({ branches: ["x"] }))[0]).toMatchObject({ head });
});
