// The forge is down, in trouble, behind another server's web page, or full, while an agent works:
// the agent works on, the news comes later, nothing is lost, and status says what is the matter.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeForgeFactory } from "../support/forge-factory.ts";

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

const FAULTS = [
  ["down", "cannot be reached"],
  ["500", "answered 500: database is locked"],
  ["429", "rate limit"],
  ["html", "a web page instead of JSON"],
  ["renamed", "does not exist"],
  ["moved", "answered 301"],
] as const;

/** A guard, not a claim: six kinds of trouble, each seen by a later look. */
const GUARD_MS = 300_000;

test(
  "a forge in trouble of every kind holds up no agent, and status says what it is",
  async () => {
    await using factory = await makeForgeFactory();
    await factory.fileIssue("Add one", working(factory.root));
    const run = factory.background("run", "--until-idle");
    const begun = join(factory.root, "begun");
    await factory.until("the agent has begun", async () => existsSync(begun));
    factory.fake.fail("down");
    writeFileSync(join(factory.root, "go"), "");
    // It committed and asked for CI; only the PR is missing.
    const pushed = (): boolean => factory.gitIn(factory.bare, "branch", "--list", "pawl/*") !== "";
    await factory.until("its branch is pushed", async () => pushed());
    for (const [fault, said] of FAULTS) {
      factory.fake.fail(fault);
      await factory.until(`status says that it is ${fault}`, async () => {
        const { waits } = await factory.status();
        return waits.some(({ about, why }) => about === "project" && why.includes(said));
      });
      expect((await factory.status()).runs).toMatchObject([{ stage: "publishing" }]);
    }
    factory.fake.fail(undefined);
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(factory.fake.state.issues.map(({ state, pr }) => [state, pr?.merged])).toEqual([
      ["closed", undefined],
      ["closed", true],
    ]);
    expect((await factory.status()).waits).toEqual([]);
  },
  GUARD_MS,
);
