// The real Claude Code inside walls.
import { expect, test } from "vitest";
import { COMMIT, makeClaudeFactory, noClaude } from "../support/claude.ts";
import { LIMITS, TEST_GATE } from "../support/pawl.ts";
import { noWalls, WALLS } from "../support/walls.ts";

test.skipIf(noClaude || noWalls)("Claude Code lands an issue inside walls", async () => {
  await using factory = await makeClaudeFactory({ config: `${TEST_GATE}${LIMITS}${WALLS}` });
  const look = `ls -a "$HOME" > seen.txt; ls /proc | grep -c '^[0-9]' >> seen.txt`;
  const issue = await factory.addIssue({ title: "Work", body: `[[bash: ${look}; ${COMMIT}]]` });
  await factory.ok("run", "--until-idle");
  expect(factory.subjects()).toContain("work on 1");
  expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
});
