// Repositories as they are in the wild, end to end: an issue lands in each through the command a
// user types.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Factory } from "../support/pawl.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const work = (name: string): string => `\`\`\`sh\necho ${name} > ${name}.txt\n\`\`\`\n`;

/** A bare copy of the repository as its remote. */
function addRemote(factory: Factory, name = "remote.git"): string {
  const remote = join(factory.root, name);
  factory.git("clone", "-q", "--bare", factory.repo, remote);
  factory.git("remote", "add", "origin", remote);
  return remote;
}

test.each(["local", "remote"])("an issue lands in a SHA-256 repository (%s)", async (kind) => {
  await using factory = await makeFactory({ config: CONFIG, env: { GIT_DEFAULT_HASH: "sha256" } });
  expect(factory.git("rev-parse", "HEAD")).toHaveLength(64);
  const upstream = kind === "local" ? factory.repo : addRemote(factory);
  await factory.addIssue({ title: "Add one", body: work("one") });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.gitIn(upstream, "show", "main:one.txt")).toBe("one");
  expect(factory.gitIn(upstream, "rev-parse", "main")).toHaveLength(64);
});
