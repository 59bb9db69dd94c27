// A question changes nothing: asking about a repository that is not registered does not register it,
// because a daemon would start agents there. A command that writes registers it.
import { expect, test } from "vitest";
import { askDaemon } from "../support/ask-daemon.ts";
import { makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const READS = [
  "issues",
  "issues/1",
  "dependencies",
  "prs",
  "checks",
  "queue",
  "formulas",
  "gates",
  "why/1",
  "runs/1",
  "start-plan",
];

const READ_COMMANDS = [
  "issue list",
  "issue show 1",
  "pr list",
  "ci list",
  "merge-queue list",
  "formula list",
  "gate list",
  "why 1",
  "logs 1",
  "run --dry-run",
];

test("no GET and no command that reads registers the project of the folder; one that writes does", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}`,
    files: { "test.sh": "true\n" },
  });
  await factory.ok("up");
  for (const read of READS) {
    const { status, text } = await askDaemon(factory, `/v1/${read}`);
    expect(status, `${read}: ${text}`).toBe(404);
    expect(text).toContain(`${factory.repo} belongs to no registered project`);
    expect(text).toContain("`pawl init`");
  }
  for (const read of READ_COMMANDS) {
    const { code, stdout, stderr } = await factory.pawl(...read.split(" "));
    expect({ read, code, stdout }).toEqual({ read, code: 1, stdout: "" });
    expect(stderr).toContain("`pawl init`");
  }
  expect((await factory.status()).projects).toEqual([]);

  await factory.ok("issue", "add", "--title", "one", "--label", "later");
  expect((await factory.status()).projects).toMatchObject([{ name: factory.project }]);
  expect((await askDaemon(factory, "/v1/issues")).status).toBe(200);
});
