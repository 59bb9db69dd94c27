// A remote that appears after `pawl init`: nothing is pushed there before the operator agrees.
import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const work = (name: string): string => `\`\`\`sh\necho ${name} > ${name}.txt\n\`\`\`\n`;

test("a remote added after init gets nothing until the operator agrees with pawl init", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.ok("init", "--yes");
  const remote = join(factory.root, "remote.git");
  factory.git("clone", "-q", "--bare", factory.repo, remote);
  factory.commit({ "private.txt": "not for others\n" }, "Only here");
  factory.git("remote", "add", "origin", remote);
  const pushed = factory.gitIn(remote, "rev-parse", "main");

  await factory.addIssue({ title: "Add one", body: work("one") });
  await factory.pawl("run", "--until-idle");
  expect(factory.git("show", "main:one.txt")).toBe("one");
  expect(factory.gitIn(remote, "rev-parse", "main")).toBe(pushed);
  const status = await factory.ok("status");
  expect(status).toContain("nothing is pushed there until you agree");
  expect(status).toContain(remote);

  await factory.ok("init", "--yes");
  expect(await factory.ok("status")).not.toContain("until you agree");
  factory.git("push", "-q", "origin", "main");
  await factory.addIssue({ title: "Add two", body: work("two") });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.gitIn(remote, "show", "main:two.txt")).toBe("two");
});

test("git remote set-url is said while the daemon runs, also where the old remote is gone, and the new one gets nothing before pawl init", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const [old, moved] = [join(factory.root, "old.git"), join(factory.root, "moved.git")];
  factory.git("clone", "-q", "--bare", factory.repo, old);
  factory.git("remote", "add", "origin", old);
  await factory.ok("init", "--yes");
  await factory.ok("up");
  factory.gitIn(old, "clone", "-q", "--bare", old, moved);
  const before = factory.gitIn(moved, "rev-parse", "main");
  factory.git("remote", "set-url", "origin", moved);

  const one = await factory.addIssue({ title: "Add one", body: work("one") });
  await factory.until("one landed", async () => (await factory.runOf(one)).outcome === "landed");
  expect(factory.gitIn(old, "show", "main:one.txt")).toBe("one");
  const said = `the remote origin is ${moved} now, and nothing is pushed there until you agree with \`pawl init\`; work goes to ${old}`;
  const flat = async (...args: string[]): Promise<string> =>
    (await factory.ok(...args)).replaceAll(/\s+/g, " ");
  await factory.until("it is said", async () => (await flat("status")).includes(said));
  expect(await flat("escalation", "list")).toContain(said);
  expect(factory.gitIn(moved, "rev-parse", "main")).toBe(before);

  await factory.ok("down");
  factory.git("remote", "set-url", "origin", old);
  await factory.ok("up");
  expect(await flat("status")).not.toContain("until you agree");
  factory.git("fetch", "-q", "origin");
  factory.git("push", "-q", moved, "origin/main:main");
  factory.git("remote", "set-url", "origin", moved);
  renameSync(old, `${old}.gone`);
  const two = await factory.addIssue({ title: "Add two", body: work("two") });
  await factory.until("it is said", async () => (await flat("status")).includes(said));
  await factory.ok("init", "--yes");
  await factory.until("two landed", async () => (await factory.runOf(two)).outcome === "landed");
  expect(await flat("status")).not.toContain("until you agree");
  expect(factory.gitIn(moved, "show", "main:two.txt")).toBe("two");
});

test("where git itself would push elsewhere, or nowhere, Pawl pushes nothing and says why", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const remote = join(factory.root, "remote.git");
  factory.git("clone", "-q", "--bare", factory.repo, remote);
  factory.git("remote", "add", "origin", remote);
  factory.git("remote", "set-url", "--push", "origin", "no_push");
  const refused = await factory.pawl("init", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(`${remote}, but git pushes to no_push`);
  expect((await factory.pawl("run", "--until-idle")).code).toBe(1);
  expect(factory.gitIn(remote, "branch", "--list", "pawl/*")).toBe("");
  factory.git("remote", "set-url", "--delete", "--push", "origin", "no_push");
  await factory.ok("init", "--yes");
  factory.git("remote", "set-url", "--add", "origin", join(factory.root, "mirror.git"));
  expect((await factory.pawl("run", "--until-idle")).stderr).toContain("mirror.git");
});
