// The forge is down. What concerns a session does not wait for it: an agent is stopped, started again
// and ended at once, and its work is saved.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { isRunning } from "../support/pawl.ts";

/** Commits, asks for CI, and goes on living; its terminal is not what the test is about. */
const working = (root: string): string =>
  [
    "```sh",
    "echo one > one.txt",
    "echo '[ -s one.txt ]' > tests/one.sh",
    `echo begun > ${root}/begun`,
    `until [ -e ${root}/go ]; do sleep 0.05; done`,
    "```",
    "",
  ].join("\n");

async function publishing() {
  const factory = await makeForgeFactory();
  await factory.fileIssue("Add one", working(factory.root));
  await factory.ok("up");
  await factory.register();
  await factory.until("the agent has begun", async () => existsSync(join(factory.root, "begun")));
  factory.fake.fail("down");
  writeFileSync(join(factory.root, "go"), "");
  const run = await factory.until("its PR waits for the forge", async () => {
    const found = (await factory.status()).runs[0];
    if (found?.stage !== "publishing" || found.pid === null) return false;
    const why = await factory.ok("why", String(found.issue));
    return why.includes("publish branch (failed") && found;
  });
  return { ...factory, issue: String(run.issue), pid: run.pid ?? 0 };
}

test("an agent is stopped while the forge is down, and goes on when it is retried and the forge is back", async () => {
  await using factory = await publishing();
  await factory.ok("stop", factory.issue);
  await factory.until("it has ended", async () => {
    const run = await factory.runOf(Number(factory.issue));
    return !run.alive && !isRunning(factory.pid);
  });
  const toDo = await factory.until("its work is saved", async () => {
    const why = await factory.ok("why", factory.issue);
    return !why.includes("to do: checkpoint") && why;
  });
  expect(toDo).toContain("to do: publish branch (failed");
  factory.fake.fail(undefined);
  await factory.ok("retry", factory.issue);
  await factory.until("it lands", async () => {
    return (await factory.runOf(Number(factory.issue))).outcome === "landed";
  });
});

test("`pawl down --kill-agents` ends every agent while the forge is down", async () => {
  await using factory = await publishing();
  const { code, stderr } = await factory.pawl("down", "--kill-agents");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(isRunning(factory.pid)).toBe(false);
});
