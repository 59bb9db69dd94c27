// `pawl demo --agent opencode`, as demos.test.ts plays it with the others.
import { expect, test } from "vitest";
import { factoryWith } from "../support/agent-on-path.ts";
import { agentProgram } from "../support/agent-programs.ts";

const path = agentProgram("opencode");

test.skipIf(path === undefined)("the demo lands its issues with opencode at work", async () => {
  await using factory = await factoryWith({ name: "opencode", path: path ?? "" });
  const demo = await factory.pawl("demo", "--agent", "opencode", "--json");
  if (demo.stdout === "") throw new Error(demo.stderr);
  expect(JSON.parse(demo.stdout)).toMatchObject({ issues: 8, landed: 8 });
  expect(demo.stderr).toContain("a stub on this machine answers");
});
