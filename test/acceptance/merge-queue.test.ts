// The merge queue by its command, without a daemon and without an agent: branches of the user's own
// repository land, wait, and go back (AC-3.1 to AC-3.4).
import type { StatusView } from "../../src/api/runs.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { QueueView } from "../../src/api/queue.ts";
import { branch, gateRuns, list, makeQueue } from "../support/queue-cli.ts";

test("AC-3.2: a clean branch is rebased, tested, landed and deleted", async () => {
  await using factory = await makeQueue();
  const head = branch(factory, "feature/x", { "x.txt": "x\n" });
  factory.commit({ "other.txt": "main moved on\n" }, "Meanwhile");
  expect(await factory.ok("merge-queue", "add", "feature/x")).toBe("e1");
  const [entry] = await list(factory);
  expect(entry).toMatchObject({
    identity_name: null,
    branch: "feature/x",
    worktree_path: null,
    pr_number: null,
    bead_id: null,
    node_id: null,
    requested_at: expect.any(String),
    status: "queued",
    position: 1,
    head,
  });
  const done = await factory.pawl("merge-queue", "process");
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(done.stdout).toMatch(/1 {2}feature\/x {2}landed as [0-9a-f]{10}/);
  expect(factory.subjects()).toEqual(["Meanwhile", "Work of feature/x"]);
  expect(factory.git("rev-parse", "main^{commit}")).not.toBe(head);
  expect(factory.git("branch", "--list", "feature/x")).toBe("");
  expect(factory.git("status", "--porcelain")).toBe("");
  expect(factory.read("repo", "x.txt")).toBe("x\n");
  expect(await list(factory)).toEqual([]);
  expect(await list(factory, "--all")).toMatchObject([{ status: "merged" }]);
  const signals = await factory.ok("signals", "--json");
  expect(signals).toMatch(/MERGE_READY[^]*MERGE_COMPLETE/);
});

test("AC-3.1: two branches that are ready at once land one after the other, in order", async () => {
  await using factory = await makeQueue();
  branch(factory, "a", { "a.txt": "a\n" });
  branch(factory, "b", { "b.txt": "b\n" });
  branch(factory, "c", { "c.txt": "c\n" });
  await factory.ok("merge-queue", "add", "a");
  await factory.ok("merge-queue", "add", "b");
  await factory.ok("merge-queue", "add", "c", "--priority", "1");
  // AC-3.4: the list shows the order.
  expect((await list(factory)).map((entry) => [entry.position, entry.branch])).toEqual([
    [1, "c"],
    [2, "a"],
    [3, "b"],
  ]);
  const done = await factory.pawl("merge-queue", "process", "--until-idle");
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(factory.subjects()).toEqual(["Work of c", "Work of a", "Work of b"]);
  // Each stands on the one before. A new queue tests two together, then the rest.
  expect(
    factory
      .git("log", "--format=%p", "main")
      .split("\n")
      .every((p) => !p.includes(" ")),
  ).toBe(true);
  expect(gateRuns(factory)).toBe(2);
});

test("many branches are queued by one command in their order, or none where one of them cannot be", async () => {
  await using factory = await makeQueue();
  const names = Array.from({ length: 20 }, (_, index) => `fix/${index}`);
  for (const name of names) branch(factory, name, { [`${name}.txt`]: "x\n" });
  const refused = await factory.pawl("merge-queue", "add", ...names, "gone", "main", "lost");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("none of the 23 branches was queued: cannot queue main");
  const missing = await factory.pawl("merge-queue", "add", "gone", ...names, "lost");
  expect(missing.stderr).toMatch(/none of the 22 branches was queued: .* gone: .* lost: /);
  expect(await list(factory)).toEqual([]);
  const ids = await factory.ok("merge-queue", "add", ...names);
  expect(ids.split("\n")).toEqual(names.map((_, index) => `e${index + 1}`));
  expect((await list(factory)).map((entry) => entry.branch)).toEqual(names);
});

test("AC-3.3: a conflict names its files, spends no check, stays listed, and is fixed", async () => {
  await using factory = await makeQueue();
  branch(factory, "first", { "same.txt": "first\n" });
  branch(factory, "second", { "same.txt": "second\n", "more.txt": "more\n" });
  for (const name of ["first", "second"]) await factory.ok("merge-queue", "add", name);
  const done = await factory.pawl("merge-queue", "process", "--until-idle");
  expect(done.code, done.stderr).toBe(1);
  expect(done.stdout).toContain("second  sent back: conflicts with the target in same.txt");
  const next = "then queue it again: `pawl merge-queue add second`";
  expect(done.stdout).toContain(next);
  expect(await factory.ok("merge-queue", "status")).toContain(next);
  expect(await list(factory)).toMatchObject([
    { branch: "second", status: "returned", conflict_files: ["same.txt"], position: null },
  ]);
  expect(gateRuns(factory)).toBe(1);
  const signals = await factory.ok("signals", "--json");
  expect(signals).toContain('"conflict_files":["same.txt"]');
  const explained = await factory.ok("merge-queue", "explain", "second");
  expect(explained).toContain("same.txt");
  expect(explained).toContain(next);
  expect(factory.git("branch", "--list", "second")).toContain("second");
  const { waits } = JSON.parse(await factory.ok("status", "--json")) as StatusView;
  expect(waits).toMatchObject([
    { about: "second", needs_you: true, command: "pawl merge-queue explain second" },
  ]);

  factory.git("checkout", "-q", "second");
  factory.git("rebase", "-q", "-X", "theirs", "main");
  factory.git("checkout", "-q", "main");
  await factory.ok("merge-queue", "add", "second");
  expect((await factory.pawl("merge-queue", "process", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toEqual(["Work of first", "Work of second"]);
  expect(JSON.parse(await factory.ok("status", "--json"))).toMatchObject({ waits: [] });
  const both = await factory.ok("merge-queue", "explain", "second");
  expect(both).toMatch(/before as e2, and sent back: conflicts .* in same.txt[^]*as e3 /);
});

test("`process` takes one step, `--after` holds a branch back, and an empty queue is no failure", async () => {
  await using factory = await makeQueue("[merge]\nlanes = 1\n");
  branch(factory, "late", { "late.txt": "1\n" });
  branch(factory, "early", { "early.txt": "1\n" });
  await factory.ok("merge-queue", "add", "late", "--after", "early");
  const stuck = await factory.pawl("merge-queue", "process", "--until-idle");
  expect(stuck.code).toBe(8);
  expect(stuck.stderr).toContain("it lands after early (not queued)");
  await factory.ok("merge-queue", "add", "early");
  expect((await factory.pawl("merge-queue", "process", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toEqual(["Work of early", "Work of late"]);
  const none = await factory.pawl("merge-queue", "process");
  expect(none).toMatchObject({ code: 0, stdout: "", stderr: "nothing to do\n" });
});

test("a paused queue lands nothing; what is removed stays out; what cannot be added is said", async () => {
  await using factory = await makeQueue();
  branch(factory, "x", { "x.txt": "1\n" });
  branch(factory, "y", { "y.txt": "1\n" });
  await factory.ok("merge-queue", "add", "x");
  await factory.ok("merge-queue", "add", "y");
  await factory.ok("merge-queue", "pause", "--why", "release day");
  const paused = await factory.pawl("merge-queue", "process", "--until-idle");
  expect(paused).toMatchObject({ code: 8, stdout: "" });
  expect(paused.stderr).toContain("release day");
  await factory.ok("merge-queue", "remove", "y");
  await factory.ok("merge-queue", "resume");
  expect((await factory.pawl("merge-queue", "process", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toEqual(["Work of x"]);
  expect(factory.git("branch", "--list", "y")).toContain("y");
  for (const [name, why] of [
    ["main", "it is the target itself"],
    ["nowhere", "neither upstream nor your repository has it"],
    ["-x..y", "not the name of a branch"],
  ] as const) {
    const refused = await factory.pawl("merge-queue", "add", "--", name);
    expect(refused.stderr).toContain(why);
    expect(refused.code).toBeGreaterThan(0);
  }
});

test("the published copy of the queue has the fields of the seed", async () => {
  await using factory = await makeQueue();
  branch(factory, "x", { "x.txt": "1\n" });
  await factory.ok("merge-queue", "add", "x");
  await factory.ok("merge-queue", "process", "--until-idle");
  const path = join(factory.home, "projects", factory.project, "state", "merge-queue.json");
  expect(existsSync(path)).toBe(true);
  const published = JSON.parse(
    factory.read("home", "projects", factory.project, "state", "merge-queue.json"),
  ) as QueueView;
  expect(Object.keys(published.past[0] ?? {})).toEqual(
    expect.arrayContaining([
      "identity_name",
      "branch",
      "worktree_path",
      "pr_number",
      "bead_id",
      "node_id",
      "requested_at",
      "status",
    ]),
  );
});
