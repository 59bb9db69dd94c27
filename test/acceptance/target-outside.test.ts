// An agent that pushes to the user's target past the merge queue: it is noticed and said.
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;

test("a push of an agent onto the target while the user is on another branch is said, with its commit", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.ok("init", "--yes");
  factory.commit({ "mine.txt": "1\n" }, "The user's own commit");
  factory.git("checkout", "-q", "-b", "elsewhere");
  const push = `echo evil > evil.txt && git add -A && git commit -qm Untested && git push -q ${factory.repo} HEAD:main`;
  await factory.addIssue({ title: "Push", body: `\`\`\`sh\n${push}\n\`\`\`\n` });
  await factory.ok("up");
  const pushed = await factory.until("the push happened", async () => {
    const tip = factory.git("log", "-1", "--format=%H %s", "main");
    return tip.endsWith(" Untested") && tip.split(" ")[0];
  });
  const said = `commit ${pushed.slice(0, 10)} ("Untested") was pushed into your repository`;
  await factory.until("it is said", async () => (await factory.ok("status")).includes(said));
  expect(await factory.ok("status")).toContain("did not come through the merge queue");
  expect(await factory.ok("escalation", "list")).toContain(said);
  expect(await factory.ok("status")).not.toContain("The user's own commit");
  await factory.ok("merge-queue", "pause", "--why", "release day");
  await factory.ok("merge-queue", "resume");
  const acknowledged = await factory.ok("status");
  expect(acknowledged).not.toContain(said);
  expect(await factory.ok("escalation", "list")).not.toContain(said);
  expect(acknowledged).toContain("release day");
  await factory.ok("merge-queue", "resume");
  expect(await factory.ok("status")).not.toContain("release day");
});
