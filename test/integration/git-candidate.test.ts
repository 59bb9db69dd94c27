import { join } from "node:path";
import { expect, test } from "vitest";
import { createContext } from "../../src/adapters/git-cli/context.ts";
import { mergeTree } from "../../src/adapters/git-cli/merge-tree.ts";
import { ownCommits } from "../../src/adapters/git-cli/own-commits.ts";
import type { Commit } from "../../src/core/ids.ts";
import { commitId } from "../../src/core/ids.ts";
import type { MergeStrategy } from "../../src/core/merge-queue/entry.ts";
import type { GitProject } from "../support/git-project.ts";
import { gitProject } from "../support/git-project.ts";

type Files = Record<string, string>;

/** A branch of the user's repository, brought into the hub under its name. */
function branch(project: GitProject, name: string, commits: Files[]): Commit {
  project.git(project.user, "checkout", "-q", "-b", name, "main");
  for (const [index, files] of commits.entries()) {
    project.commit(project.user, files, `${name} ${index + 1}\n\nbody of ${index + 1}`);
  }
  project.git(project.user, "checkout", "-q", "main");
  project.git(project.hub, "fetch", "-q", project.user, `+${name}:refs/heads/${name}`);
  return project.head(project.user, name);
}

function builder(project: GitProject, onto: Commit) {
  return (strategy: MergeStrategy, heads: [name: string, head: Commit][], ref = "1") =>
    project.pawl.buildCandidate({
      onto,
      strategy,
      ref,
      heads: heads.map(([name, head]) => ({ branch: name, head, message: `Land ${name}` })),
    });
}

test("a rebase keeps author, date and message of each commit, and Pawl is the committer", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const head = branch(project, "x", [{ "x.txt": "1\n" }, { "x.txt": "2\n", "a.txt": "2\n" }]);
  const onto = project.commit(project.user, { "b.txt": "2\n" });
  await project.pawl.fetchTarget();
  const built = await builder(project, onto)("rebase", [["x", head]]);
  if (built.kind !== "built") throw new Error(built.kind);
  const log = (range: string, format: string) =>
    project.git(project.hub, "log", `--format=${format}`, range);
  expect(log(`${onto}..${built.commit}`, "%an %ae %ad %B")).toBe(
    log(`main..${head}`.replace("main", project.first), "%an %ae %ad %B"),
  );
  expect(log(`${onto}..${built.commit}`, "%cn")).toBe("Pawl\nPawl");
  expect(project.head(project.hub, `${built.commit}~2`)).toBe(onto);
  expect(project.git(project.hub, "show", `${built.commit}:b.txt`)).toBe("2");
  expect(built.tree).toBe(project.git(project.hub, "rev-parse", `${built.commit}^{tree}`));
  expect(project.head(project.hub, "refs/pawl/queue/1")).toBe(built.commit);
  await project.pawl.releaseCandidate("1");
  await project.pawl.releaseCandidate("1");
  expect(() => project.head(project.hub, "refs/pawl/queue/1")).toThrow(/refs\/pawl\/queue\/1/);
});

test("the same request gives the same commit, with every strategy", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const head = branch(project, "x", [{ "x.txt": "1\n" }]);
  const onto = project.commit(project.user, { "b.txt": "2\n" });
  await project.pawl.fetchTarget();
  const build = builder(project, onto);
  for (const strategy of ["rebase", "merge", "squash"] as const) {
    expect(await build(strategy, [["x", head]])).toEqual(await build(strategy, [["x", head]]));
  }
});

test("a rebase that is a fast-forward keeps the commits as they are", async () => {
  using project = gitProject("local");
  const onto = await project.pawl.fetchTarget();
  const head = branch(project, "x", [{ "x.txt": "1\n" }]);
  const built = await builder(project, onto)("rebase", [["x", head]]);
  expect(built).toMatchObject({ kind: "built", commit: head, tips: [head] });
});

test("commits that are already there are left out, and a branch with nothing new changes nothing", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const head = branch(project, "x", [{ "a.txt": "same\n" }, { "x.txt": "1\n" }]);
  const gone = branch(project, "y", [{ "a.txt": "same\n" }]);
  const onto = project.commit(project.user, { "a.txt": "same\n" }, "the same change");
  await project.pawl.fetchTarget();
  const build = builder(project, onto);
  const built = await build("rebase", [["x", head]]);
  if (built.kind !== "built") throw new Error(built.kind);
  expect(project.head(project.hub, `${built.commit}^`)).toBe(onto);
  for (const strategy of ["rebase", "squash"] as const) {
    expect(await build(strategy, [["y", gone]])).toMatchObject({ commit: onto, tips: [onto] });
  }
  for (const strategy of ["rebase", "merge", "squash"] as const) {
    const old: [string, Commit][] = [["z", project.first]];
    expect(await build(strategy, old)).toMatchObject({ kind: "built", commit: onto });
  }
});

test("a merge has two parents and the message of the request", async () => {
  using project = gitProject("local");
  const onto = await project.pawl.fetchTarget();
  const head = branch(project, "x", [{ "x.txt": "1\n" }]);
  const built = await builder(project, onto)("merge", [["x", head]]);
  if (built.kind !== "built") throw new Error(built.kind);
  expect(project.git(project.hub, "log", "-1", "--format=%P|%B", built.commit)).toBe(
    `${onto} ${head}|Land x`,
  );
});

test("a squash is one commit by the last author, and names the others", async () => {
  using project = gitProject("local");
  const onto = await project.pawl.fetchTarget();
  branch(project, "x", [{ "x.txt": "1\n" }, { "x.txt": "2\n" }]);
  const author = "--author=Bob <bob@example.org>";
  project.git(project.user, "checkout", "-q", "x");
  project.git(project.user, "commit", "-q", "--allow-empty", author, "-m", "by bob");
  project.git(project.hub, "fetch", "-q", project.user, "+x:refs/heads/x");
  const head = project.head(project.user, "x");
  const built = await builder(project, onto)("squash", [["x", head]]);
  if (built.kind !== "built") throw new Error(built.kind);
  expect(project.git(project.hub, "log", "-1", "--format=%P|%an|%B", built.commit)).toBe(
    `${onto}|Bob|Land x\n\nCo-authored-by: Ada <ada@example.org>`,
  );
});

test.each(["rebase", "merge", "squash"] as const)(
  "%s: the first head that does not fit is named with its files",
  async (strategy) => {
    using project = gitProject("local");
    const onto = await project.pawl.fetchTarget();
    const one = branch(project, "x", [{ "a.txt": "x\n" }]);
    const two = branch(project, "y", [{ "y.txt": "y\n" }]);
    const three = branch(project, "z", [{ "a.txt": "z\n", "dir/c.txt": "z\n" }]);
    const build = builder(project, onto);
    const heads: [string, Commit][] = [
      ["x", one],
      ["y", two],
      ["z", three],
    ];
    const found = { kind: "conflict", index: 2, files: ["a.txt"] };
    expect(await build(strategy, heads)).toMatchObject(found);
    const fine = await build(strategy, heads.slice(0, 2));
    expect(fine).toMatchObject({ kind: "built", tips: [expect.any(String), expect.any(String)] });
  },
);

test("a branch whose merge resolved a conflict lands with that resolution", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  branch(project, "x", [{ "a.txt": "mine\n" }]);
  project.commit(project.user, { "a.txt": "theirs\n" });
  project.git(project.user, "checkout", "-q", "x");
  expect(() => project.git(project.user, "merge", "-q", "main")).toThrow(/CONFLICT|Command failed/);
  const head = project.commit(project.user, { "a.txt": "both\n" }, "resolved");
  project.git(project.hub, "fetch", "-q", project.user, "+x:refs/heads/x");
  project.git(project.user, "checkout", "-q", "main");
  const onto = project.commit(project.user, { "b.txt": "went on\n" });
  await project.pawl.fetchTarget();
  const built = await builder(project, onto)("rebase", [["x", head]]);
  if (built.kind !== "built") throw new Error(`conflict in ${built.files.join()}`);
  expect(project.git(project.hub, "show", `${built.commit}:a.txt`)).toBe("both");
  expect(project.head(project.hub, `${built.commit}^`)).toBe(onto);
});

test("what only a merge commit holds lands too", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  branch(project, "x", [{ "x.txt": "1\n" }]);
  project.commit(project.user, { "a.txt": "2\n" });
  project.git(project.user, "checkout", "-q", "x");
  project.git(project.user, "merge", "-q", "--no-commit", "main");
  const head = project.commit(project.user, { "extra.txt": "only here\n" }, "merge with more");
  project.git(project.hub, "fetch", "-q", project.user, "+x:refs/heads/x");
  project.git(project.user, "checkout", "-q", "main");
  const onto = project.commit(project.user, { "b.txt": "went on\n" });
  await project.pawl.fetchTarget();
  const built = await builder(project, onto)("rebase", [["x", head]]);
  if (built.kind !== "built") throw new Error(`conflict in ${built.files.join()}`);
  expect(project.git(project.hub, "show", `${built.commit}:extra.txt`)).toBe("only here");
  expect(project.git(project.hub, "log", "-1", "--format=%P %s", built.commit)).toBe(
    `${onto} Land x`,
  );
});

test("a commit that git does not know is an error, not a conflict", async () => {
  using project = gitProject("local");
  const onto = await project.pawl.fetchTarget();
  const unknown = commitId("0000000000000000000000000000000000000001");
  for (const strategy of ["rebase", "merge", "squash"] as const) {
    const build = builder(project, onto)(strategy, [["x", unknown]]);
    await expect(build).rejects.toMatchObject({ name: "OperationError" });
  }
  // Git itself exits with 1 here, as for a conflict.
  const merge = mergeTree(createContext(project.options), onto, unknown);
  await expect(merge).rejects.toMatchObject({ code: "merge-failed" });
});

test("conflicts are predicted for every pair, and leave nothing in the hub", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const x = branch(project, "x", [{ "a.txt": "x\n" }]);
  const y = branch(project, "y", [{ "a.txt": "y\n", "b.txt": "y\n" }]);
  const z = branch(project, "z", [{ "z.txt": "z\n" }]);
  const target = project.commit(project.user, { "b.txt": "main\n" });
  await project.pawl.fetchTarget();
  const before = project.git(project.hub, "count-objects");
  expect(await project.pawl.conflicts({ target, fresh: [x, y, z], others: [] })).toEqual([
    { a: target, b: y, files: ["b.txt"] },
    { a: x, b: y, files: ["a.txt"] },
  ]);
  expect(project.git(project.hub, "count-objects")).toBe(before);
  expect(await project.pawl.conflicts({ target, fresh: [], others: [] })).toEqual([]);
  // A file here and a folder there, and a file that is renamed here and changed there.
  const file = branch(project, "file", [{ place: "1\n" }]);
  const folder = branch(project, "folder", [{ "place/inner.txt": "1\n" }]);
  project.git(project.user, "checkout", "-q", "-b", "renamed", "main");
  project.git(project.user, "mv", "dir/c.txt", "dir/renamed.txt");
  project.commit(project.user, { "dir/renamed.txt": "renamed\n" });
  project.git(project.user, "checkout", "-q", "main");
  project.git(project.hub, "fetch", "-q", project.user, "renamed:refs/heads/renamed");
  const renamed = project.head(project.user, "renamed");
  const changed = branch(project, "changed", [{ "dir/c.txt": "changed\n" }]);
  const found = await project.pawl.conflicts({
    target,
    fresh: [file, renamed],
    others: [folder, changed, z],
  });
  expect(found.map(({ a, b }) => [a, b])).toEqual([
    [file, folder],
    [renamed, changed],
  ]);
  const unknown = commitId("0000000000000000000000000000000000000001");
  await expect(
    project.pawl.conflicts({ target, fresh: [unknown], others: [] }),
  ).rejects.toMatchObject({
    name: "OperationError",
  });
});

test("a branch without common history conflicts with the target, and keeps no other from being looked at", async () => {
  using project = gitProject("local");
  const target = await project.pawl.fetchTarget();
  const [a, b] = [
    branch(project, "a1", [{ "n.txt": "1\n" }]),
    branch(project, "b1", [{ "n.txt": "2\n" }]),
  ];
  const tree = project.git(project.user, "rev-parse", "main^{tree}");
  const alone = commitId(project.git(project.user, "commit-tree", tree, "-m", "pages"));
  project.git(project.user, "branch", "pages", alone);
  project.git(project.hub, "fetch", "-q", project.user, "+pages:refs/heads/pages");
  const found = await project.pawl.conflicts({ target, fresh: [alone, a], others: [b] });
  expect(found.map((one) => [one.a, one.b])).toEqual([
    [target, alone],
    [a, b],
  ]);
  expect(found[0]?.files).toEqual([expect.stringContaining("no common history")]);
  // Where a resolver is set, it is built all the same.
  expect(await builder(project, target)("merge", [["pages", alone]])).toMatchObject({
    kind: "conflict",
    files: [expect.stringContaining("no common history")],
  });
});

test.each(["rebase", "merge", "squash"] as const)(
  "work landed by %s is contained",
  async (strategy) => {
    using project = gitProject("local");
    await project.pawl.fetchTarget();
    const head = branch(project, "x", [{ "x.txt": "1\n" }, { "a.txt": "2\n" }]);
    const expected = project.commit(project.user, { "b.txt": "2\n" });
    await project.pawl.fetchTarget();
    expect(await project.pawl.contains({ target: expected, head })).toBe(false);
    const built = await builder(project, expected)(strategy, [["x", head]]);
    if (built.kind !== "built") throw new Error(built.kind);
    await project.pawl.land({ candidate: built.commit, expected });
    expect(await project.pawl.contains({ target: built.commit, head })).toBe(true);
    // The same lines changed again afterwards: only the patches can tell.
    const target = project.commit(project.user, { "a.txt": "3\n", "x.txt": "3\n" });
    await project.pawl.fetchTarget();
    expect(await project.pawl.contains({ target, head })).toBe(true);
  },
);

test("a branch without work of its own is not contained, and a base tells a fast-forward apart", async () => {
  using project = gitProject("local");
  const base = await project.pawl.fetchTarget();
  const head = branch(project, "x", [{ "x.txt": "1\n" }]);
  await project.pawl.land({ candidate: head, expected: base });
  expect(await project.pawl.contains({ target: head, head: base })).toBe(false);
  expect(await project.pawl.contains({ target: head, head: base, base })).toBe(false);
  expect(await project.pawl.contains({ target: head, head, base })).toBe(true);
  expect(await project.pawl.contains({ target: head, head })).toBe(false);
  const empty = branch(project, "y", [{}]);
  expect(await project.pawl.contains({ target: head, head: empty })).toBe(false);
});

test("work that a merge commit holds is not landed with the other commits of its branch", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const first = branch(project, "x", [{ "x.txt": "1\n" }]);
  project.commit(project.user, { "b.txt": "2\n" });
  project.git(project.user, "switch", "--quiet", "x");
  project.git(project.user, "merge", "--no-commit", "--no-ff", "main");
  const head = commitId(project.commit(project.user, { "own.txt": "more\n" }));
  project.git(project.user, "switch", "--quiet", "main");
  project.git(project.user, "cherry-pick", first);
  project.git(project.hub, "fetch", "-q", project.user, "+x:refs/heads/x");
  const target = await project.pawl.fetchTarget();
  expect(await project.pawl.contains({ target, head })).toBe(false);
});

test("half of a branch on the target is not the branch", async () => {
  using project = gitProject("local");
  await project.pawl.fetchTarget();
  const head = branch(project, "x", [{ "x.txt": "1\n" }, { "y.txt": "2\n" }]);
  project.git(project.user, "cherry-pick", "x~1");
  const target = await project.pawl.fetchTarget();
  expect(await project.pawl.contains({ target, head })).toBe(false);
});

test("a clock that went wrong lets nothing of the target in again", async () => {
  using project = gitProject("local");
  const onto = await project.pawl.fetchTarget();
  const tree = project.git(project.hub, "rev-parse", `${onto}^{tree}`);
  const old = (parent: string): Commit => {
    const by = "A <a@example.org> 1000000000 +0000";
    const raw = `tree ${tree}\nparent ${parent}\nauthor ${by}\ncommitter ${by}\n\nold\n`;
    project.write(project.root, { raw });
    const args = ["-t", "commit", "-w", join(project.root, "raw")];
    return commitId(project.git(project.hub, "hash-object", ...args));
  };
  let tip = onto;
  for (let count = 0; count < 8; count += 1) tip = old(tip);
  const head = commitId(
    project.git(project.hub, "commit-tree", tree, "-p", onto, "-m", "the only one"),
  );
  // Git itself is misled by the dates, which is why they are not relied on.
  const range = project.git(project.hub, "log", "--format=%s", `${tip}..${head}`);
  expect(range).toBe("the only one\nfirst");
  const context = createContext(project.options);
  const own = await ownCommits(context, tip, head);
  expect(own.map((commit) => commit.commit)).toEqual([head]);
});

test.each(["rebase", "merge", "squash"] as const)(
  "by %s, a branch on top of another lands only what is its own, also where that one was rewritten",
  async (strategy) => {
    using project = gitProject("local");
    await project.pawl.fetchTarget();
    const a = branch(project, "a", [{ "a.txt": "a1\n" }, { "a.txt": "a2\n" }]);
    project.git(project.user, "checkout", "-q", "a");
    project.git(project.user, "checkout", "-q", "-b", "b");
    project.commit(project.user, { "a.txt": "b\n" }, "b 1");
    project.git(project.user, "checkout", "-q", "main");
    const onto = project.commit(project.user, { "b.txt": "main moved on\n" }, "main");
    await project.pawl.fetchTarget();
    const b = (await project.pawl.adoptBranches({ branches: ["b"] }))[0]?.head;
    if (b === undefined) throw new Error("not adopted");
    const built = await builder(project, onto)(strategy, [
      ["a", a],
      ["b", b],
      ["a", a],
    ]);
    if (built.kind !== "built") throw new Error(JSON.stringify(built));
    expect(built.tips[2]).toBe(built.tips[1]);
    expect(project.git(project.hub, "show", `${built.commit}:a.txt`)).toBe("b");
    const count = project.git(project.hub, "rev-list", "--count", `${onto}..${built.commit}`);
    expect(count).toBe({ rebase: "3", merge: "5", squash: "2" }[strategy]);
  },
);
