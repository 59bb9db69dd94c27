// What every git behind the port must do, as tests: the simulator's fake and the real one run the
// same suite, so that the fake stays honest. What a test needs from outside comes from `open`.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Commit } from "../core/ids.ts";
import type { Git } from "./git.ts";

export type GitUnderTest = {
  git: Git;
  /** The path of the workspace with this name; nothing is there yet. */
  place: (name: string) => string;
  /** Files of a workspace, written and committed, or written only. */
  commit(workspace: string, files: Record<string, string>): Promise<Commit>;
  write(workspace: string, files: Record<string, string>): Promise<void>;
  read(workspace: string, file: string): Promise<string | undefined>;
  /** Puts something into a workspace that cannot be saved; answers its name. */
  writeUnsavable(workspace: string): Promise<string>;
  /** Another writer moves the target. */
  push(files: Record<string, string>): Promise<Commit>;
  /** Another writer adds a commit to a branch on upstream; absent where there is no remote. */
  pushTo?(branch: string, files: Record<string, string>): Promise<Commit>;
  close(): Promise<void>;
};

const STRATEGIES = ["rebase", "merge", "squash"] as const;

export function gitContract(name: string, open: () => Promise<GitUnderTest>): void {
  describe(`${name} keeps its contract`, () => {
    let under: GitUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());
    workspaceTests(() => under);
    upstreamTests(() => under);
    candidateTests(() => under);
    landingTests(() => under);
  });
}

type Use = () => GitUnderTest;

async function workspace(use: Use, name: string) {
  const { git, place } = use();
  const path = place(name);
  const branch = `pawl/${name}`;
  const made = await git.prepareWorkspace({ path, branch, from: await git.fetchTarget() });
  return { path, branch, ...made };
}

/** A branch with one commit of its own, known to the hub. */
async function branchWith(use: Use, name: string, files: Record<string, string>) {
  const { path, branch, base } = await workspace(use, name);
  await use().commit(path, files);
  const target = await use().git.fetchTarget();
  const { head } = await use().git.fetchBranch({ workspace: path, branch, target });
  return { branch, head, message: name, base };
}

function workspaceTests(use: Use): void {
  test("a new workspace stands at the target, and is found again as it was left", async () => {
    const { path, head, base, found } = await workspace(use, "a");
    expect({ head, base, found }).toEqual({ head: base, base, found: false });
    await use().write(path, { "new.txt": "unsaved\n" });
    expect(await workspace(use, "a")).toMatchObject({ head, found: true });
    expect(await use().read(path, "new.txt")).toBe("unsaved\n");
  });

  test("a branch is fetched with what it is ahead and what is not committed", async () => {
    const { path, branch } = await workspace(use, "a");
    const target = await use().git.fetchTarget();
    const before = await use().git.fetchBranch({ workspace: path, branch, target });
    expect(before).toMatchObject({ head: target, ahead: 0, dirty: [] });
    const head = await use().commit(path, { "new.txt": "1\n" });
    await use().write(path, { "more.txt": "1\n" });
    const after = await use().git.fetchBranch({ workspace: path, branch, target });
    expect(after).toMatchObject({ head, ahead: 1, dirty: ["more.txt"] });
  });

  test("a checkpoint holds what is not committed, and a workspace is made again from it", async () => {
    const { path, branch } = await workspace(use, "a");
    await use().write(path, { "new.txt": "unsaved\n" });
    const save = () => use().git.checkpoint({ workspace: path, identity: "dev-a", reason: "test" });
    const saved = await save();
    expect(saved.kind).toBe("saved");
    const again = await save();
    expect(again.kind).toBe("unchanged");
    await use().git.removeWorkspace({ path, identity: "dev-a" });
    await use().git.removeWorkspace({ path, identity: "dev-a" });
    expect((await save()).kind).toBe("absent");
    if (saved.kind === "absent") return;
    const from = await use().git.fetchTarget();
    await use().git.prepareWorkspace({ path, branch, from, checkpoint: saved.commit });
    expect(await use().read(path, "new.txt")).toBe("unsaved\n");
  });

  test("what was written after the last checkpoint is saved when the workspace is removed", async () => {
    const { path, branch } = await workspace(use, "a");
    const identity = "dev-a";
    await use().write(path, { "new.txt": "1\n" });
    await use().git.checkpoint({ workspace: path, identity, reason: "test" });
    await use().write(path, { "new.txt": "2\n" });
    expect(await use().git.removeWorkspace({ path, identity })).toEqual({ kind: "removed" });
    const from = await use().git.fetchTarget();
    await use().git.prepareWorkspace({ path, branch, from, identity });
    expect(await use().read(path, "new.txt")).toBe("2\n");
  });

  test("what cannot be saved is listed by a checkpoint, and keeps its workspace", async () => {
    const { path } = await workspace(use, "a");
    const identity = "dev-a";
    const name = await use().writeUnsavable(path);
    await use().write(path, { "new.txt": "1\n" });
    const saved = await use().git.checkpoint({ workspace: path, identity, reason: "test" });
    expect(saved).toMatchObject({ kind: "saved", skipped: [name] });
    for (const time of [1, 2]) {
      const removal = await use().git.removeWorkspace({ path, identity });
      expect([time, removal]).toEqual([time, { kind: "kept", unsaved: [name] }]);
    }
    expect(await use().read(path, "new.txt")).toBe("1\n");
  });

  test("a lost workspace is made again from its identity's last checkpoint, unless that is of another branch", async () => {
    const { path, branch } = await workspace(use, "a");
    const identity = "dev-a";
    await use().write(path, { "new.txt": "unsaved\n" });
    await use().git.checkpoint({ workspace: path, identity, reason: "test" });
    await use().git.removeWorkspace({ path, identity: "dev-a" });
    const from = await use().git.fetchTarget();
    await use().git.prepareWorkspace({ path, branch: "pawl/other", from, identity });
    expect(await use().read(path, "new.txt")).toBeUndefined();
    await use().git.removeWorkspace({ path, identity: "dev-other" });
    await use().git.prepareWorkspace({ path, branch, from, identity });
    expect(await use().read(path, "new.txt")).toBe("unsaved\n");
  });

  test("a branch that went on after the last checkpoint wins over it", async () => {
    const { path, branch } = await workspace(use, "a");
    const identity = "dev-a";
    await use().write(path, { "new.txt": "unsaved\n" });
    await use().git.checkpoint({ workspace: path, identity, reason: "test" });
    const head = await use().commit(path, { "new.txt": "committed\n" });
    const from = await use().git.fetchTarget();
    await use().git.fetchBranch({ workspace: path, branch, target: from });
    await use().git.removeWorkspace({ path, identity: "dev-a" });
    const made = await use().git.prepareWorkspace({ path, branch, from, identity });
    expect(made).toMatchObject({ head, found: false });
    expect(await use().read(path, "new.txt")).toBe("committed\n");
  });
}

function upstreamTests(use: Use): void {
  test("another writer's push to a branch is reported, kept, and continued from", async () => {
    const { git, place } = use();
    const { branch, head } = await branchWith(use, "a", { "a.txt": "ours\n" });
    expect(await git.pushBranch({ branch, head })).toEqual({ kind: "pushed" });
    const theirs = await use().pushTo?.(branch, { "theirs.txt": "theirs\n" });
    if (theirs === undefined) return;
    await use().commit(place("a"), { "b.txt": "ours\n" });
    const target = await git.fetchTarget();
    const next = await git.fetchBranch({ workspace: place("a"), branch, target });
    const pushed = await git.pushBranch({ branch, head: next.head });
    expect(pushed).toMatchObject({ kind: "overtaken", theirs });
    await git.deleteBranch({ branch, head: next.head });
    // A new workspace after that has all of theirs: the branch is still there as they left it.
    const request = { path: place("new"), branch, from: target, upstream: true } as const;
    expect(await git.prepareWorkspace(request)).toMatchObject({ head: theirs, found: false });
    expect(await use().read(place("new"), "theirs.txt")).toBe("theirs\n");
    await use().commit(place("new"), { "c.txt": "more\n" });
    const more = await git.fetchBranch({ workspace: place("new"), branch, target });
    expect(await git.pushBranch({ branch, head: more.head })).toEqual({ kind: "pushed" });
  });

  test("a push that is only tried leaves nothing at upstream", async () => {
    const { git, place } = use();
    const { branch, head } = await branchWith(use, "a", { "a.txt": "ours\n" });
    const target = await git.fetchTarget();
    await git.tryPush({ branch });
    expect(await git.fetchTarget()).toBe(target);
    const request = {
      path: place("new"),
      branch: "pawl/new",
      from: target,
      upstream: true,
    } as const;
    await git.tryPush({ branch: request.branch });
    expect(await git.prepareWorkspace(request)).toMatchObject({ head: target, found: false });
    expect(await git.pushBranch({ branch, head })).toEqual({ kind: "pushed" });
  });

  test("a branch that upstream has more of than the hub is gone on from there", async () => {
    const { git, place } = use();
    const { branch, head } = await branchWith(use, "a", { "a.txt": "ours\n" });
    await git.pushBranch({ branch, head });
    const theirs = await use().pushTo?.(branch, { "theirs.txt": "theirs\n" });
    if (theirs === undefined) return;
    const from = await git.fetchTarget();
    const path = place("new");
    expect(await git.prepareWorkspace({ path, branch, from, upstream: true })).toMatchObject({
      head: theirs,
      base: from,
    });
  });
}

function candidateTests(use: Use): void {
  test.each(STRATEGIES)(
    "by %s, heads that do not touch each other are built in order",
    async (strategy) => {
      const a = await branchWith(use, "a", { "one.txt": "a\n" });
      const b = await branchWith(use, "b", { "two.txt": "b\n" });
      const onto = await use().git.fetchTarget();
      const built = await use().git.buildCandidate({ onto, heads: [a, b], strategy, ref: "1" });
      expect(built).toMatchObject({ kind: "built" });
      if (built.kind !== "built") return;
      expect(built.tips.at(-1)).toBe(built.commit);
      expect(await use().git.treeOf(built.commit)).toBe(built.tree);
      expect(await use().git.readFile(built.commit, "one.txt")).toBe("a\n");
      expect(await use().git.readFile(built.commit, "two.txt")).toBe("b\n");
    },
  );

  test("the first head that does not fit is named with its files", async () => {
    const a = await branchWith(use, "a", { "same.txt": "a\n" });
    const b = await branchWith(use, "b", { "same.txt": "b\n" });
    const onto = await use().git.fetchTarget();
    const strategy = "merge";
    const built = await use().git.buildCandidate({ onto, heads: [a, b], strategy, ref: "1" });
    const tips = [expect.any(String)];
    expect(built).toEqual({ kind: "conflict", index: 1, files: ["same.txt"], tips });
    const among = (fresh: Commit[], others: Commit[]) =>
      use().git.conflicts({ target: onto, fresh, others });
    const pair = { a: a.head, b: b.head, files: ["same.txt"] };
    expect(await among([a.head, b.head], [])).toEqual([pair]);
    expect(await among([a.head], [b.head])).toEqual([pair]);
    expect(await among([], [a.head, b.head])).toEqual([]);
  });

  test("the commits of the target that changed the files of a conflict are named", async () => {
    const a = await branchWith(use, "a", { "same.txt": "a\n" });
    const changed = await use().push({ "same.txt": "theirs\n" });
    const onto = await use().push({ "other.txt": "theirs\n" });
    const asked = { onto, head: a.head, files: ["same.txt"], limit: 3 };
    await use().git.fetchTarget();
    expect(await use().git.changedBy(asked)).toEqual([
      { commit: changed, subject: expect.any(String) },
    ]);
    expect(await use().git.changedBy({ ...asked, files: ["absent.txt"] })).toEqual([]);
  });
}

function landingTests(use: Use): void {
  test.each(STRATEGIES)(
    "by %s, what landed is contained, and landing again says so",
    async (strategy) => {
      const a = await branchWith(use, "a", { "one.txt": "a\n" });
      const onto = await use().git.fetchTarget();
      const asked = (target: Commit) => use().git.contains({ target, head: a.head, base: a.base });
      expect(await asked(onto)).toBe(false);
      const built = await use().git.buildCandidate({ onto, heads: [a], strategy, ref: "1" });
      if (built.kind !== "built") throw new Error("it does not build");
      const landing = { candidate: built.commit, expected: onto };
      const landed = { kind: "landed", commit: built.commit };
      expect(await use().git.land(landing)).toEqual(landed);
      expect(await use().git.land(landing)).toEqual(landed);
      await use().push({ "others.txt": "later\n" });
      expect(await use().git.land(landing)).toEqual(landed);
      expect(await asked(await use().git.fetchTarget())).toBe(true);
    },
  );

  test("a target that another writer moved is not overwritten", async () => {
    const a = await branchWith(use, "a", { "one.txt": "a\n" });
    const onto = await use().git.fetchTarget();
    const strategy = "merge";
    const built = await use().git.buildCandidate({ onto, heads: [a], strategy, ref: "1" });
    if (built.kind !== "built") throw new Error("it does not build");
    const target = await use().push({ "others.txt": "first\n" });
    const landing = { candidate: built.commit, expected: onto };
    expect(await use().git.land(landing)).toEqual({ kind: "target-moved", target });
    expect(await use().git.fetchTarget()).toBe(target);
  });

  test("a branch without commits of its own is never contained", async () => {
    const { head, base } = await workspace(use, "a");
    const target = await use().git.fetchTarget();
    expect(await use().git.contains({ target, head, base })).toBe(false);
    expect(await use().git.contains({ target, head })).toBe(false);
  });
}
