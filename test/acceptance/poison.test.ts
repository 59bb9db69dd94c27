// An effect that the daemon dies of, as a bug would have it: the factory goes on without it, and the
// user is asked.
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const WORK = "```sh\necho one > one.txt\n```\n";

test("an effect that two daemons died of is not started again; `pawl retry` has it tried again", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`,
    env: { PAWL_DIE_AT: "git.branch.before-fetch" },
  });
  await factory.ok("issue", "add", "--title", "Add one", "--body", WORK);
  await factory.ok("up");
  const asked = await factory.until("the third daemon serves, and a person is asked", async () => {
    const { daemon, runs } = await factory.status();
    return daemon !== null && runs[0]?.stage === "escalated" && runs[0].needs_you;
  });
  expect(asked).toContain("the daemon died 2 times while it carried out fetch-branch");
  expect(asked).toContain("PAWL_DIE_AT");
  // The cause is gone with the next version of the daemon.
  await factory.ok("down");
  delete factory.env["PAWL_DIE_AT"];
  await factory.ok("up");
  await factory.ok("retry", "1");
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
});

test("an effect that aborts the daemon, as running out of memory does, is quarantined too", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`,
    env: { PAWL_ABORT_AT: "git.branch.before-fetch" },
  });
  await factory.ok("issue", "add", "--title", "Add one", "--body", WORK);
  await factory.ok("up");
  const asked = await factory.until("a later daemon serves, and a person is asked", async () => {
    const { daemon, runs } = await factory.status();
    return daemon !== null && runs[0]?.stage === "escalated" && runs[0].needs_you;
  });
  expect(asked).toContain("the daemon died 2 times while it carried out fetch-branch");
  expect(asked).toContain("memory");
  await factory.ok("down");
  delete factory.env["PAWL_ABORT_AT"];
  await factory.ok("up");
  await factory.ok("retry", "1");
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
});
