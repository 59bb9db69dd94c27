// The merge queue with a real bare upstream: upstream's main is the truth, the user's clone is left
// alone, others push meanwhile, protection says no, and the rules change only with an approval.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { branch, gateRuns, GATE, landAll, list, makeQueueUpstream } from "../support/queue-cli.ts";

type Upstream = Awaited<ReturnType<typeof makeQueueUpstream>>;

const subjects = (factory: Upstream): string[] =>
  factory.inUpstream("log", "--first-parent", "--reverse", "--format=%s", "main").split("\n");

test("AC-3.2 with an upstream: pushed branches land by a plain push and are deleted there", async () => {
  await using factory = await makeQueueUpstream('[merge]\nstrategy = "merge"\n');
  const before = factory.git("rev-parse", "main");
  branch(factory, "x", { "x.txt": "1\n" });
  branch(factory, "y", { "y.txt": "1\n" });
  factory.git("push", "-q", "origin", "x", "y");
  const { code, stderr, status } = await landAll(factory, "x", "y");
  expect(code, stderr).toBe(0);
  expect(status).toEqual({ x: "merged", y: "merged" });
  expect(subjects(factory)).toEqual(["Begin", "Work of x", "Work of y"]);
  expect(factory.inUpstream("branch", "--format=%(refname:short)")).toBe("main");
  // AC-3.5: two landings of one batch are one move, and nothing else moved it.
  expect(factory.inUpstream("reflog", "show", "--format=%gs", "main")).toBe("push");
  expect(factory.git("rev-parse", "main")).toBe(before);
  expect(gateRuns(factory)).toBe(1);
});

test("another writer's push in the middle of a check leads to another plan, not to a lost commit", async () => {
  const gate = `${GATE}code=$?; sh "$HOME/foreign.sh" >/dev/null 2>&1; exit $code\n`;
  await using factory = await makeQueueUpstream("", gate);
  const clone = join(factory.root, "clone");
  factory.git("clone", "-q", factory.upstream, clone);
  writeFileSync(
    join(factory.root, "user", "foreign.sh"),
    `cd ${clone} && [ ! -e theirs.txt ] || exit 0
echo theirs > theirs.txt && git add theirs.txt
git -c user.name=Bob -c user.email=bob@example.org commit -qm Theirs && git push -q origin main\n`,
  );
  branch(factory, "x", { "x.txt": "1\n" });
  const { code, stderr } = await landAll(factory, "x");
  expect(code, stderr).toBe(0);
  expect(subjects(factory)).toEqual(["Begin", "Theirs", "Work of x"]);
  expect(gateRuns(factory)).toBe(2);
  expect(await factory.ok("merge-queue", "explain", "x")).toMatch(
    /did not land alone: another writer moved the target[^]*landed alone/,
  );
});

test("a protected branch is explained with what upstream said, and resuming goes on", async () => {
  await using factory = await makeQueueUpstream();
  const hook = join(factory.upstream, "hooks", "pre-receive");
  writeFileSync(hook, "#!/bin/sh\necho 'main is protected: ask Bob' >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  branch(factory, "x", { "x.txt": "1\n" });
  const refused = await landAll(factory, "x");
  expect(refused.code).toBe(8);
  expect(refused.stderr).toContain("main is protected: ask Bob");
  expect(refused.stderr).toContain("allow Pawl's account to push to main");
  expect(await factory.ok("merge-queue", "explain", "1")).toContain("the queue stopped");
  chmodSync(hook, 0o644);
  await factory.ok("merge-queue", "resume");
  expect((await landAll(factory)).status).toEqual({ x: "merged" });
  // The tested tree was remembered: protection cost no second run.
  expect(gateRuns(factory)).toBe(1);
});

test.each(["pushed", "followed"])(
  "kill -9 right after the push (%s) lands nothing twice and blocks nothing",
  async (point) => {
    await using factory = await makeQueueUpstream();
    branch(factory, "x", { "x.txt": "1\n" });
    branch(factory, "y", { "y.txt": "1\n" });
    await factory.ok("merge-queue", "add", "x");
    factory.env["PAWL_CRASH_AT"] = `git.land.${point}:1`;
    await expect(factory.pawl("merge-queue", "process")).rejects.toThrow(/did not end by itself/);
    delete factory.env["PAWL_CRASH_AT"];
    expect(subjects(factory)).toEqual(["Begin", "Work of x"]);
    expect((await landAll(factory, "y")).status).toEqual({ x: "merged", y: "merged" });
    expect(subjects(factory)).toEqual(["Begin", "Work of x", "Work of y"]);
  },
);

test("a branch that changes pawl.toml waits for an approval of exactly that head; the rest goes ahead", async () => {
  await using factory = await makeQueueUpstream();
  const rules = factory.read("repo", "pawl.toml");
  const looser = rules.replace('command = "sh test.sh"', 'command = "true"');
  branch(factory, "loose", { "pawl.toml": looser, "red.txt": "smuggled in\n" });
  branch(factory, "good", { "good.txt": "1\n" });
  const first = await landAll(factory, "loose", "good");
  expect(first.code).toBe(8);
  expect(first.status).toEqual({ loose: "waiting", good: "merged" });
  expect(first.stderr).toContain("it changes pawl.toml: you must approve it");

  // Approved or not, it is tested by the rules of the target, not by its own.
  await factory.ok("merge-queue", "approve", "loose");
  const red = await landAll(factory);
  expect(red.status).toMatchObject({ loose: "returned" });
  factory.git("checkout", "-q", "loose");
  factory.git("rm", "-q", "red.txt");
  factory.git("commit", "-q", "-m", "Without the smuggled file");
  factory.git("checkout", "-q", "main");

  // New commits need a new approval.
  const second = await landAll(factory, "loose");
  expect(second.status).toMatchObject({ loose: "waiting" });
  const [entry] = await list(factory);
  expect(entry).toMatchObject({ changes_policy: true, approved_by: null });
  await factory.ok("merge-queue", "approve", String(entry?.id));
  expect((await landAll(factory)).status).toMatchObject({ loose: "merged" });

  // From now on the new rules hold: what was red is not tested any more.
  const runs = gateRuns(factory);
  branch(factory, "red", { "red.txt": "allowed now\n" });
  expect((await landAll(factory, "red")).status).toMatchObject({ red: "merged" });
  expect(gateRuns(factory)).toBe(runs);
});
