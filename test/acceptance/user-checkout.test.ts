// The user's own checkout while Pawl lands on the branch it shows: it follows, and keeps every edit.
import { join } from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { branch, makeQueue } from "../support/queue-cli.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const work = (script: string): string => `\`\`\`sh\n${script}\n\`\`\`\n`;

test("landing fast-forwards the user's checkout and keeps unrelated edits, staged ones too", async () => {
  await using factory = await makeFactory({ config: CONFIG, files: { "notes.txt": "old\n" } });
  const add = (name: string): Promise<number> =>
    factory.addIssue({ title: `Add ${name}`, body: work(`echo ${name} > ${name}.txt`) });

  await add("first");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.read("repo", "first.txt")).toBe("first\n");
  expect(factory.git("status", "--porcelain")).toBe("");

  factory.write({ "notes.txt": "mine\n", "staged.txt": "staged\n", "loose.txt": "loose\n" });
  factory.git("add", "staged.txt");
  const before = factory.git("status", "--porcelain");
  await add("second");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.read("repo", "second.txt")).toBe("second\n");
  expect(factory.git("status", "--porcelain")).toBe(before);
  expect(factory.read("repo", "notes.txt")).toBe("mine\n");
  // The next commit of the user undoes nothing.
  factory.git("commit", "-qam", "Mine");
  expect(factory.git("show", "--stat", "--format=", "HEAD")).not.toContain("second.txt");
});

test("overlapping edits hold the landing until the user has cleaned up; nothing is lost", async () => {
  await using factory = await makeFactory({ config: CONFIG, files: { "notes.txt": "old\n" } });
  factory.write({ "notes.txt": "mine, not yet committed\n" });
  await factory.addIssue({ title: "Change the notes", body: work("echo theirs > notes.txt") });
  const before = factory.git("rev-parse", "main");
  const idle = await factory.pawl("run", "--until-idle");
  expect(idle.code, idle.stderr).toBe(8);
  expect(idle.stderr).toContain("notes.txt");

  await factory.ok("up");
  // The new daemon tries the landing again before it says what is in its way.
  await factory.until("status says why", async () =>
    (await factory.ok("status")).includes("notes.txt"),
  );
  const { stdout: why } = await factory.pawl("why", "1");
  expect(why).toContain("notes.txt");
  expect(factory.git("rev-parse", "main")).toBe(before);
  expect(factory.read("repo", "notes.txt")).toBe("mine, not yet committed\n");

  factory.git("checkout", "notes.txt");
  await factory.ok("merge-queue", "resume");
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect(factory.read("repo", "notes.txt")).toBe("theirs\n");
  expect(factory.git("status", "--porcelain")).toBe("");
});

test("what lands during the first look of `pawl run` is told and counted", async () => {
  await using factory = await makeFactory({ config: CONFIG, files: { "notes.txt": "old\n" } });
  factory.write({ "notes.txt": "mine, not yet committed\n" });
  await factory.addIssue({ title: "Change the notes", body: work("echo theirs > notes.txt") });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(8);
  factory.git("checkout", "notes.txt");
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/Change the notes +✓ landed/);
  expect(stderr).toContain("1 landed");
  expect(stderr).not.toContain("nothing to do");
});

test("without a daemon, `process` tries a held landing at once, and each screen says what holds it up", async () => {
  await using factory = await makeQueue();
  factory.commit({ "notes.txt": "old\n" }, "Notes");
  branch(factory, "g", { "notes.txt": "theirs\n" });
  factory.write({ "notes.txt": "mine, not yet committed\n" });
  await factory.ok("merge-queue", "add", "g");
  const held = await factory.pawl("merge-queue", "process", "--until-idle");
  expect([held.code, held.stderr]).toEqual([8, expect.stringContaining("notes.txt")]);
  expect(await factory.ok("merge-queue", "status")).toMatch(
    /^held: e1 {2}g: .*notes\.txt.*\n {2}`pawl merge-queue process --until-idle` tries it again$/m,
  );
  // Nothing is paused: there is nothing to resume.
  expect(await factory.ok("status")).toMatch(
    /^wait\t.*notes\.txt\tpawl merge-queue process --until-idle$/m,
  );

  factory.git("checkout", "-q", "--", "notes.txt");
  const { code, stdout, stderr } = await factory.pawl("merge-queue", "process", "--until-idle");
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining("landed as")]);
  expect(factory.read("repo", "notes.txt")).toBe("theirs\n");
});

test("with a remote the target is pushed there, and the user's clone is left alone", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const remote = join(factory.root, "remote.git");
  factory.git("clone", "-q", "--bare", factory.repo, remote);
  factory.git("remote", "add", "origin", remote);
  writeFileSync(join(factory.repo, "mine.txt"), "mine\n");
  const before = factory.git("rev-parse", "HEAD");
  await factory.addIssue({ title: "Add one", body: work("echo one > one.txt") });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.gitIn(remote, "show", "main:one.txt")).toBe("one");
  // The branch went with the landing.
  expect(factory.gitIn(remote, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  expect(factory.git("rev-parse", "HEAD")).toBe(before);
  expect(readFileSync(join(factory.repo, "mine.txt"), "utf8")).toBe("mine\n");
  factory.git("pull", "-q", "--ff-only", "origin", "main");
  expect(factory.read("repo", "one.txt")).toBe("one\n");
});
