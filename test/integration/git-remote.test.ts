import { chmodSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitId } from "../../src/core/ids.ts";
import type { GitProject } from "../support/git-project.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

const branch = "pawl/1";

async function work(project: GitProject) {
  const target = await project.pawl.fetchTarget();
  const workspace = project.workspace("dev-1");
  await project.pawl.prepareWorkspace({ path: workspace, branch, from: target });
  const commit = async (text: string) => {
    project.commit(workspace, { "n.txt": text });
    return (await project.pawl.fetchBranch({ workspace, branch, target })).head;
  };
  const head = await commit("1\n");
  return { workspace, target, head, commit };
}

/** Someone else's commit on the remote. */
function elsewhere(project: GitProject, ref: string, from: string): string {
  const tree = project.git(project.remote, "rev-parse", `${from}^{tree}`);
  const made = project.git(project.remote, "commit-tree", tree, "-p", from, "-m", "theirs");
  project.git(project.remote, "update-ref", ref, made);
  return made;
}

const decline = (project: GitProject, text: string): void => {
  const hooks = join(project.remote, "hooks");
  project.write(hooks, { "pre-receive": `#!/bin/sh\necho '${text}' >&2\nexit 1\n` });
  chmodSync(join(hooks, "pre-receive"), 0o755);
};

test("a landing is a push that goes forward, and the user's clone is left alone", async () => {
  using project = gitProject("remote");
  const { head, target } = await work(project);
  const outcome = await project.pawl.land({ candidate: head, expected: target });
  expect(outcome).toEqual({ kind: "landed", commit: head });
  expect(project.head(project.remote, "main")).toBe(head);
  expect(project.head(project.user, "main")).toBe(target);
  expect(project.head(project.hub, "refs/pawl/target/main")).toBe(head);
});

test("a target that moved upstream is told with its new commit", async () => {
  using project = gitProject("remote");
  const { head, target } = await work(project);
  const theirs = elsewhere(project, "refs/heads/main", "main");
  const outcome = await project.pawl.land({ candidate: head, expected: target });
  expect(outcome).toEqual({ kind: "target-moved", target: theirs });
  expect(project.head(project.remote, "main")).toBe(theirs);
  expect(project.head(project.hub, "refs/pawl/target/main")).toBe(theirs);
});

test("what was removed from the target upstream a moment ago does not come back by a landing", async () => {
  using project = gitProject("remote");
  const before = project.head(project.remote, "main");
  const leaked = elsewhere(project, "refs/heads/main", "main");
  const { head, target } = await work(project);
  expect(target).toBe(leaked);
  project.git(project.remote, "update-ref", "refs/heads/main", before);
  const outcome = await project.pawl.land({ candidate: head, expected: target });
  expect(outcome).toEqual({ kind: "target-moved", target: before });
  expect(project.head(project.remote, "main")).toBe(before);
});

test("an upstream that is out of order is worth another try, and is no refusal", async () => {
  using project = gitProject("remote");
  const { head, target } = await work(project);
  decline(project, "Internal Server Error: cannot connect to the database");
  await expect(project.pawl.land({ candidate: head, expected: target })).rejects.toMatchObject({
    code: "upstream-unreachable",
    retryable: true,
  });
});

test("a push that upstream declines is rejected with what upstream said", async () => {
  using project = gitProject("remote");
  const { head, target } = await work(project);
  decline(project, "main is protected");
  const outcome = await project.pawl.land({ candidate: head, expected: target });
  expect(outcome).toMatchObject({
    kind: "rejected",
    why: expect.stringContaining("main is protected"),
    hint: expect.stringContaining("main"),
  });
  expect(project.head(project.remote, "main")).toBe(target);
});

test.each(["git.land.before-push", "git.land.pushed", "git.land.followed"])(
  "a push that crashed at %s is landed by the repeat",
  async (point) => {
    using project = gitProject("remote");
    const { head, target } = await work(project);
    const request = { candidate: head, expected: target };
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.land(request)).rejects.toThrow(point);
    expect(await restarted(project).land(request)).toEqual({ kind: "landed", commit: head });
    elsewhere(project, "refs/heads/main", "main");
    expect(await restarted(project).land(request)).toEqual({ kind: "landed", commit: head });
  },
);

test("an upstream out of reach is worth another try", async () => {
  using project = gitProject("remote");
  const { head, target } = await work(project);
  const url = join(project.root, "gone.git");
  const upstream = { kind: "remote" as const, url, path: project.user };
  const land = restarted(project, { upstream }).land({ candidate: head, expected: target });
  await expect(land).rejects.toMatchObject({ code: "upstream-unreachable", retryable: true });
});

test("a branch is pushed, pushed again after a rewrite, and deleted", async () => {
  using project = gitProject("remote");
  const { head, workspace, target } = await work(project);
  await project.pawl.pushBranch({ branch, head });
  expect(project.head(project.remote, branch)).toBe(head);
  project.git(workspace, "commit", "-q", "--amend", "-m", "rewritten");
  const state = await project.pawl.fetchBranch({ workspace, branch, target });
  await project.pawl.pushBranch({ branch, head: state.head });
  await restarted(project).pushBranch({ branch, head: state.head });
  expect(project.head(project.remote, branch)).toBe(state.head);
  await project.pawl.deleteBranch({ branch, head });
  expect(project.head(project.remote, branch)).toBe(state.head);
  await project.pawl.deleteBranch({ branch, head: state.head });
  await project.pawl.deleteBranch({ branch, head: state.head });
  expect(project.git(project.remote, "branch", "--list", "pawl/*")).toBe("");
  expect(project.git(project.hub, "for-each-ref", "refs/heads", "refs/pawl/pushed")).toBe("");
});

test("a branch that someone else pushed to is not written over, nor deleted", async () => {
  using project = gitProject("remote");
  const { head, commit } = await work(project);
  await project.pawl.pushBranch({ branch, head });
  const theirs = elsewhere(project, `refs/heads/${branch}`, branch);
  const next = await commit("2\n");
  const push = await project.pawl.pushBranch({ branch, head: next });
  expect(push).toMatchObject({ kind: "overtaken", theirs });
  await project.pawl.deleteBranch({ branch, head: next });
  expect(project.head(project.remote, branch)).toBe(theirs);
});

test("a branch that upstream declines is an error with what upstream said", async () => {
  using project = gitProject("remote");
  const { head } = await work(project);
  decline(project, "no bots");
  await expect(project.pawl.pushBranch({ branch, head })).rejects.toMatchObject({
    code: "push-rejected",
    message: expect.stringContaining("no bots"),
  });
});

test.each(["git.push.before", "git.push.pushed", "git.push.recorded"])(
  "a branch pushed with a crash at %s is there after the repeat",
  async (point) => {
    using project = gitProject("remote");
    const { head, commit } = await work(project);
    await project.pawl.pushBranch({ branch, head });
    const next = await commit("2\n");
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.pushBranch({ branch, head: next })).rejects.toThrow(point);
    await restarted(project).pushBranch({ branch, head: next });
    expect(project.head(project.remote, branch)).toBe(next);
  },
);

test.each(["git.delete.before", "git.delete.upstream-gone", "git.delete.hub-gone"])(
  "a deletion with a crash at %s is finished by the repeat",
  async (point) => {
    using project = gitProject("remote");
    const { head } = await work(project);
    await project.pawl.pushBranch({ branch, head });
    const dying = restarted(project, { crash: crashAt(point) });
    await expect(dying.deleteBranch({ branch, head })).rejects.toThrow(point);
    await restarted(project).deleteBranch({ branch, head });
    expect(project.git(project.remote, "branch", "--list", "pawl/*")).toBe("");
    expect(project.git(project.hub, "for-each-ref", "refs/heads", "refs/pawl/pushed")).toBe("");
  },
);

test("without a remote a push does nothing and a deletion removes the hub's branch", async () => {
  using project = gitProject("local");
  const { head } = await work(project);
  await project.pawl.pushBranch({ branch, head });
  expect(project.git(project.user, "branch", "--list", "pawl/*")).toBe("");
  await project.pawl.deleteBranch({ branch, head });
  expect(project.git(project.hub, "for-each-ref", "refs/heads")).toBe("");
});

test("a person's branch comes from upstream, or from their own clone where only that has it", async () => {
  using project = gitProject("remote");
  await project.pawl.fetchTarget();
  const { user } = project;
  project.git(user, "checkout", "-q", "-b", "pushed");
  const old = project.commit(user, { "p.txt": "1\n" }, "Pushed");
  project.git(user, "push", "-q", "origin", "pushed");
  project.commit(user, { "p.txt": "2\n" }, "Not pushed");
  project.git(user, "checkout", "-q", "-b", "own", "main");
  const own = project.commit(user, { "o.txt": "1\n" }, "Mine");
  expect((await project.pawl.adoptBranches({ branches: ["pushed"] }))[0]).toEqual({
    head: old,
    from: "upstream",
    subject: "Pushed",
    bytes: expect.any(Number),
  });
  expect((await project.pawl.adoptBranches({ branches: ["own"] }))[0]).toEqual({
    head: own,
    from: "checkout",
    subject: "Mine",
    bytes: expect.any(Number),
  });
  expect((await project.pawl.adoptBranches({ branches: ["nowhere"] }))[0]).toBeUndefined();
  await expect(project.pawl.adoptBranches({ branches: ["a..b"] })).rejects.toMatchObject({
    code: "usage",
  });
  await project.pawl.deleteBranch({ branch: "pushed", head: old });
  expect(project.git(project.remote, "branch", "--list", "pushed")).toBe("");
  expect(project.git(user, "branch", "--list", "pushed")).toContain("pushed");
});

test("many branches come by one call, each from where it is, in the order asked for", async () => {
  using project = gitProject("remote");
  await project.pawl.fetchTarget();
  const { user } = project;
  const make = (name: string): string => {
    project.git(user, "checkout", "-q", "-b", name, "main");
    project.commit(user, { [`${name}.txt`]: "1\n" }, `First of ${name}`);
    return project.commit(user, { [`${name}.txt`]: "2\n" }, `Second of ${name}`);
  };
  const heads = new Map(["a", "b", "c", "d"].map((name) => [name, make(name)]));
  project.git(user, "push", "-q", "origin", "b", "d");
  const branches = ["c", "nowhere", "b", "a", "d"];
  const adopted = await project.pawl.adoptBranches({ branches });
  expect(adopted.map((one) => one?.head)).toEqual(branches.map((name) => heads.get(name)));
  expect(adopted.map((one) => one?.from)).toEqual([
    "checkout",
    undefined,
    "upstream",
    "checkout",
    "upstream",
  ]);
  expect(adopted.map((one) => one?.subject)).toEqual([
    "First of c",
    undefined,
    "First of b",
    "First of a",
    "First of d",
  ]);
  expect(await project.pawl.adoptBranches({ branches: [] })).toEqual([]);
});

test("a branch that only upstream has is gone on from on a new machine, and may be rebased there", async () => {
  using project = gitProject("remote");
  const { head } = await work(project);
  await project.pawl.pushBranch({ branch, head });
  const pawl = restarted(project, { hub: join(project.root, "new", "hub.git") });
  const from = await pawl.fetchTarget();
  const path = project.workspace("dev-1-new");
  expect(await pawl.prepareWorkspace({ path, branch, from })).toMatchObject({ head: from });
  const again = project.workspace("dev-1-again");
  const made = await pawl.prepareWorkspace({ path: again, branch, from, upstream: true });
  expect(made).toEqual({ base: from, head, found: false });
  project.git(again, "commit", "-q", "--amend", "-m", "rewritten");
  const rewritten = await pawl.fetchBranch({ workspace: again, branch, target: from });
  expect(await pawl.pushBranch({ branch, head: rewritten.head })).toEqual({ kind: "pushed" });
});

test("their commits may be replaced by the same changes on another base", async () => {
  using project = gitProject("remote");
  const { head, workspace, target } = await work(project);
  await project.pawl.pushBranch({ branch, head });
  project.git(project.user, "fetch", "-q", "origin", branch);
  project.git(project.user, "checkout", "-q", "--detach", "FETCH_HEAD");
  const theirs = project.commit(project.user, { "theirs.txt": "t\n" });
  project.git(project.user, "push", "-q", "origin", `HEAD:refs/heads/${branch}`);
  // It is reported, and its commit is in the hub already.
  project.commit(workspace, { "m.txt": "1\n" });
  const mine = await project.pawl.fetchBranch({ workspace, branch, target });
  const told = await project.pawl.pushBranch({ branch, head: mine.head });
  expect(told).toMatchObject({ kind: "overtaken", log: expect.stringContaining("Ada: change") });
  project.git(workspace, "cherry-pick", theirs);
  const next = await project.pawl.fetchBranch({ workspace, branch, target });
  expect(await project.pawl.pushBranch({ branch, head: next.head })).toEqual({ kind: "pushed" });
});

test("what a closed PR changed is read by its head, also where only upstream has it", async () => {
  using project = gitProject("remote");
  const { head } = await work(project);
  await project.pawl.pushBranch({ branch, head });
  const pawl = restarted(project, { hub: join(project.root, "new", "hub.git") });
  await pawl.fetchTarget();
  const changes = await pawl.changesOf({ head, maxBytes: 10_000 });
  expect(changes).toMatchObject({ files: ["n.txt"], diff: expect.stringContaining("+1") });
  const gone = commitId("0123456789012345678901234567890123456789");
  expect(await pawl.changesOf({ head: gone, maxBytes: 10 })).toBeUndefined();
});

test("a list of files that was cut says so, and a head without a base is not one without changes", async () => {
  using project = gitProject("remote");
  const { workspace, target } = await work(project);
  const many = Array.from({ length: 1500 }, (_, at) => [`a/${"long".repeat(50)}-${at}`, "x\n"]);
  project.commit(workspace, { ...Object.fromEntries(many), "z.txt": "z\n" });
  const { head } = await project.pawl.fetchBranch({ workspace, branch, target });
  const changes = await project.pawl.changesOf({ head, maxBytes: 1 });
  expect(changes).toMatchObject({ cut: true });
  expect(changes?.files.every((file) => /long-\d+$/.test(file))).toBe(true);
  project.git(workspace, "checkout", "-q", "--orphan", "alone");
  project.commit(workspace, { "z.txt": "alone\n" });
  project.git(workspace, "checkout", "-q", "-B", branch);
  const alone = await project.pawl.fetchBranch({ workspace, branch, target });
  expect(await project.pawl.changesOf({ head: alone.head, maxBytes: 1 })).toBeUndefined();
});

test("a push is tried without changing upstream, and one that would fail is told", async () => {
  using project = gitProject("remote");
  await work(project);
  const refs = (): string => project.git(project.remote, "for-each-ref");
  const before = refs();
  await project.pawl.tryPush({ branch: "pawl/doctor-push-check" });
  expect(refs()).toBe(before);
  renameSync(project.remote, `${project.remote}.gone`);
  await expect(project.pawl.tryPush({ branch: "pawl/doctor-push-check" })).rejects.toThrow(
    "cannot push pawl/doctor-push-check",
  );
});
