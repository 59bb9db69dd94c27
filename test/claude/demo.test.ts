// `pawl demo --agent claude`: the demo with the real Claude Code, without an account.
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { claudePath, noClaude } from "../support/claude.ts";
import { makeFactory } from "../support/pawl.ts";

test.skipIf(noClaude)("the demo lands its issues with Claude Code at work", async () => {
  const path = `${dirname(claudePath)}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  await using factory = await makeFactory({ env: { PATH: path, ANTHROPIC_API_KEY: "sk-mine" } });
  const demo = await factory.pawl("demo", "--agent", "claude", "--json");
  if (demo.code !== 0 || demo.stdout === "") throw new Error(demo.stderr);
  expect(JSON.parse(demo.stdout)).toMatchObject({ issues: 8, landed: 8 });
  expect(demo.stderr).toContain("a stub on this machine answers");
});

test("without Claude Code the demo says how to get it", async () => {
  await using factory = await makeFactory({
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
  });
  const demo = await factory.pawl("demo", "--agent", "claude");
  expect(demo.code).toBe(1);
  expect(demo.stderr).toContain("npm install -g @anthropic-ai/claude-code");
});
