// What peers were seen to do wrong on the way onto main, each as a test by its number.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  branch,
  gateRuns,
  GATE,
  landAll,
  makeQueue,
  makeQueueUpstream,
} from "../support/queue-cli.ts";

test("defect 3: landing leaves the user's untracked file and staged edit exactly as they are", async () => {
  await using factory = await makeQueue();
  factory.commit({ "own.txt": "1\n" }, "Theirs");
  branch(factory, "writes", { "notes.txt": "from the branch\n" });
  branch(factory, "elsewhere", { "elsewhere.txt": "1\n" });
  factory.write({ "notes.txt": "my own notes\n", "own.txt": "staged\n" });
  factory.git("add", "own.txt");
  const { code, stderr, status } = await landAll(factory, "writes", "elsewhere");
  expect(code, stderr).toBe(8);
  expect(status).toEqual({ writes: "held", elsewhere: "merged" });
  expect(stderr).toContain("untracked files");
  expect(factory.read("repo", "notes.txt")).toBe("my own notes\n");
  expect(factory.git("status", "--porcelain")).toBe("M  own.txt\n?? notes.txt");
  expect(factory.git("show", "main:own.txt")).toBe("1");
  expect(factory.subjects()).toEqual(["Theirs", "Work of elsewhere"]);

  factory.git("stash", "-q", "-u");
  await factory.ok("merge-queue", "resume");
  expect((await landAll(factory)).status).toMatchObject({ writes: "merged" });
});

test("defect 6: of two branches that are green alone and red together only one lands", async () => {
  await using factory = await makeQueue();
  branch(factory, "left", { "left.txt": "1\n" });
  branch(factory, "right", { "right.txt": "1\n" });
  const { code, status, entries } = await landAll(factory, "left", "right");
  expect(code).toBe(1);
  expect(status).toEqual({ left: "merged", right: "returned" });
  expect(entries.find((entry) => entry.branch === "right")).toMatchObject({
    reason: "red on top of a green target (test)",
    conflict_files: [],
  });
  expect(factory.subjects()).toEqual(["Work of left"]);
  const signals = await factory.ok("signals", "--json");
  expect(signals).toContain('"reason":"tests"');
  const asked = await factory.ok("why", "right");
  expect(asked).toContain("merge queue: sent back: test passes on the target and fails with");
  const why = await factory.ok("merge-queue", "explain", "right");
  expect(why).toMatch(
    /tested as 2 of 2: failed: test[^]*once more[^]*sent back: test passes on the target and fails/,
  );
});

test.each([
  ["is not found (127)", "no-such-program-here --run\n"],
  ["is not executable (126)", "./README.md\n"],
  ["runs no test", "echo 'Ran 0 tests in 0.000s'\n"],
])("defect 7: nothing lands by a gate that %s", async (_, gate) => {
  await using factory = await makeQueue();
  factory.commit({ "README.md": "not a program\n" }, "Read me");
  branch(factory, "breaks", { "test.sh": gate });
  branch(factory, "good", { "good.txt": "1\n" });
  const { status } = await landAll(factory, "breaks", "good");
  expect(status).toEqual({ breaks: "returned", good: "merged" });
  expect(factory.git("show", "main:test.sh")).toBe(GATE.trimEnd());
});

test("defect 8: a red main stops the queue and blames no entry, and a fixed one resumes it", async () => {
  await using factory = await makeQueue();
  branch(factory, "one", { "one.txt": "1\n" });
  branch(factory, "two", { "two.txt": "1\n" });
  factory.commit({ "red.txt": "1\n" }, "Break main by hand");
  const stopped = await landAll(factory, "one", "two");
  expect(stopped.code).toBe(8);
  expect(stopped.stderr).toContain("the target itself fails its gates");
  expect(stopped.status).toEqual({ one: "queued", two: "queued" });
  expect(await factory.ok("merge-queue", "status")).toContain("no entry is blamed");

  factory.git("rm", "-q", "red.txt");
  factory.git("commit", "-q", "-m", "Fix main");
  await factory.ok("merge-queue", "resume");
  expect((await landAll(factory)).status).toEqual({ one: "merged", two: "merged" });
  expect(factory.subjects().slice(2)).toEqual(["Work of one", "Work of two"]);
});

test.each(["objects", "checkout", "ref-moved", "followed"])(
  "defect 9: kill -9 in the middle of a landing (%s) blocks no later merge",
  async (point) => {
    await using factory = await makeQueue();
    branch(factory, "first", { "first.txt": "1\n" });
    branch(factory, "second", { "second.txt": "1\n" });
    await factory.ok("merge-queue", "add", "first");
    factory.env["PAWL_CRASH_AT"] = `git.land.${point}:1`;
    await expect(factory.pawl("merge-queue", "process")).rejects.toThrow(/did not end by itself/);
    delete factory.env["PAWL_CRASH_AT"];
    expect((await landAll(factory, "second")).status).toEqual({
      first: "merged",
      second: "merged",
    });
    expect(factory.subjects()).toEqual(["Work of first", "Work of second"]);
    expect(factory.git("status", "--porcelain")).toBe("");
    // What passed before the crash is not tested again.
    expect(gateRuns(factory)).toBe(2);
  },
);

test("defect 10: merged is said only of what is on the target", async () => {
  await using factory = await makeQueueUpstream();
  branch(factory, "real", { "real.txt": "1\n" });
  factory.git("checkout", "-q", "-b", "empty");
  factory.git("commit", "-q", "--allow-empty", "-m", "Nothing at all");
  factory.git("checkout", "-q", "main");
  const hook = join(factory.upstream, "hooks", "pre-receive");
  factory.write({ "../upstream.git/hooks/pre-receive": "#!/bin/sh\necho protected >&2\nexit 1\n" });
  chmodSync(hook, 0o755);
  const refused = await landAll(factory, "empty", "real");
  expect(refused.status).toEqual({ empty: "returned", real: "passed" });
  expect(refused.stdout).not.toContain("landed");
  expect(refused.entries.find((entry) => entry.branch === "empty")?.reason).toContain(
    "has no changes that are not on the target already",
  );
  expect(factory.inUpstream("log", "--format=%s", "main")).toBe("Begin");

  chmodSync(hook, 0o644);
  await factory.ok("merge-queue", "resume");
  const { entries } = await landAll(factory);
  const merged = entries.find((entry) => entry.branch === "real");
  expect(merged).toMatchObject({ status: "merged" });
  expect(factory.inUpstream("rev-parse", "main")).toBe(merged?.merged_as);
  expect(factory.inUpstream("show", "main:real.txt")).toBe("1");
});
