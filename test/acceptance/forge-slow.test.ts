// A forge that takes an hour to answer, or never does, while an agent works: the agent works on, what
// was to be said is said once it answers again, nothing is made twice, and status says what it is.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeForgeFactory } from "../support/forge-factory.ts";

const LOOK_EVERY_MS = 20;

const working = (root: string): string =>
  [
    "```sh",
    `echo begun > ${root}/begun`,
    `until [ -e ${root}/go ]; do sleep 0.05; done`,
    "echo one > one.txt",
    "echo '[ -s one.txt ]' > tests/one.sh",
    "```",
    "",
  ].join("\n");

test("a forge that does not answer holds up no agent, and what it did unheard is not done again", async () => {
  await using factory = await makeForgeFactory({ forge: 'timeout = "1 s"\n' });
  const { fake, root, bare } = factory;
  await factory.fileIssue("Add one", working(root));
  const run = factory.background("run", "--until-idle");
  await factory.until("the agent has begun", async () => existsSync(join(root, "begun")));
  fake.fail("unheard");
  writeFileSync(join(root, "go"), "");
  // It works, commits and asks for CI as if nothing were the matter.
  const pushed = (): boolean => factory.gitIn(bare, "branch", "--list", "pawl/*") !== "";
  await factory.until("its branch is pushed", async () => pushed());
  // The forge has made the PR, and Pawl does not know yet.
  await factory.until(
    "the PR is made and not reported",
    async () => fake.state.issue(2) !== undefined,
  );
  fake.fail("slow");
  await factory.until("status says that no answer comes", async () => {
    const { waits } = await factory.status();
    return waits.some(({ why }) => why.includes("gave no answer within 1000 ms"));
  });
  expect((await factory.status()).runs).toMatchObject([{ stage: "publishing" }]);
  expect(fake.release()).toBeGreaterThan(0);

  // From now on each answer comes, and each comes late.
  let isOver = false;
  const ended = run.ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    fake.release();
    await wait(LOOK_EVERY_MS);
  }
  const { code, stderr } = await ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { issues, comments, statuses } = fake.state;
  expect(issues.map(({ state, pr }) => [state, pr?.merged])).toEqual([
    ["closed", undefined],
    ["closed", true],
  ]);
  expect(comments).toEqual([]);
  expect(statuses.map(({ state }) => state)).toEqual(["pending", "success"]);
  fake.fail(undefined);
  expect((await factory.status()).waits).toEqual([]);
});

test("a daemon whose start waits for the forge serves the page", async () => {
  await using factory = await makeForgeFactory();
  await factory.ok("init", "--yes");
  factory.fake.fail("slow");
  await factory.ok("up");
  expect(await factory.ok("page", "open", "--no-open")).toMatch(/^http.*#pair=/);
  expect(factory.read("home", "daemon.log")).not.toContain("the daemon serves");
  expect(factory.fake.release()).toBeGreaterThan(0);
});
