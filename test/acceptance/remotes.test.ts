// Remotes as git allows them to be named: an issue lands on each through the command a user types.
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { addSubmodule } from "../support/submodule.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const work = (name: string): string => `\`\`\`sh\necho ${name} > ${name}.txt\n\`\`\`\n`;

test.each([
  ["../remote.git", "remote.git"],
  ["./inside/remote.git", "repo/inside/remote.git"],
  ["file://ROOT/remote.git", "remote.git"],
])("an issue lands on the bare repository that the remote %s names", async (named, path) => {
  await using factory = await makeFactory({ config: CONFIG });
  const remote = join(factory.root, path.replace("repo", basename(factory.repo)));
  factory.git("clone", "-q", "--bare", factory.repo, remote);
  factory.git("remote", "add", "origin", named.replace("ROOT", factory.root));
  factory.git("fetch", "-q", "origin");
  await factory.ok("init", "--yes");
  await factory.addIssue({ title: "Add one", body: work("one") });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.gitIn(remote, "show", "main:one.txt")).toBe("one");
});

test("a submodule with a relative URL is found beside a remote that is relative itself", async () => {
  const gate = '[ci]\ncommand = "grep pinned lib/value.txt"\n';
  await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${gate}${LIMITS}` });
  addSubmodule(factory, "../lib.git");
  factory.commit({}, "Use the library");
  const remote = join(factory.root, "remote.git");
  factory.git("clone", "-q", "--bare", factory.repo, remote);
  factory.git("remote", "add", "origin", "../remote.git");
  await factory.addIssue({ title: "Copy it", body: "```sh\ncp lib/value.txt copy.txt\n```\n" });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.gitIn(remote, "show", "main:copy.txt")).toBe("pinned");
});
