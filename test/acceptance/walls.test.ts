// Sessions inside walls: what works there as it does without them.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { noWalls, WALLS } from "../support/walls.ts";

test.skipIf(noWalls)("an issue lands inside walls, and its session found them", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}${WALLS}`,
    files: { "test.sh": '[ ! -e "$PAWL_TEST_SECRET" ] && [ "$(id -u)" != "" ]\n' },
  });
  const body = "```sh\necho hello > greeting.txt\ngit add -A\ngit commit -qm Greet\n```\n";
  const issue = await factory.addIssue({ title: "Add a greeting", body });
  await factory.ok("run", "--until-idle");
  expect(factory.git("show", "main:greeting.txt")).toBe("hello");
  expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
  expect(execFileSync("true").toString()).toBe("");
});
