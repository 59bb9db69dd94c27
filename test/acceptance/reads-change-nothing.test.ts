// A question changes nothing: reading in a repository that is not registered does not register it,
// because a daemon would start agents there.
import { expect, test } from "vitest";
import { makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const READS = [
  "issue list",
  "issue deps",
  "pr list",
  "ci list",
  "merge-queue status",
  "formula list",
  "gate list",
  "plugin list",
  "schedule list",
  "patrol status",
  "vault list",
  "why 1",
  "logs 1",
];

test("with a daemon, no command that reads registers the project of its folder", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}`,
    files: { "test.sh": "true\n" },
  });
  await factory.ok("up");
  for (const read of READS) {
    const { code, stderr } = await factory.pawl(...read.split(" "));
    const isHelpful = stderr.includes(`${factory.repo} belongs to no registered project`);
    expect(code === 0 || isHelpful, `${read}: ${stderr}`).toBe(true);
    expect((await factory.status()).projects, read).toEqual([]);
  }
  const refused = await factory.pawl("issue", "list");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("`pawl init`");

  await factory.ok("issue", "add", "--title", "one", "--label", "blocked");
  expect((await factory.status()).projects).toMatchObject([{ name: factory.project }]);
  expect(await factory.ok("issue", "list")).toContain("one");
});
