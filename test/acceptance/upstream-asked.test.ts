// A remote that appears after `pawl init`: nothing is pushed there before the operator agrees.
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
