// `pawl demo --agent codex`: the demo with the real Codex, without an account. One agent is killed at
// work, and its successor resumes the same thread.
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { agentProgram } from "../support/agent-programs.ts";
import { makeFactory } from "../support/pawl.ts";

const codex = agentProgram("codex");

test.skipIf(codex === undefined)("the demo lands its issues with Codex at work", async () => {
  await using factory = await makeFactory();
  const bin = join(factory.root, "bin");
  mkdirSync(bin);
  symlinkSync(codex ?? "", join(bin, "codex"));
  factory.env["PATH"] = `${bin}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  const demo = await factory.pawl("demo", "--agent", "codex", "--json");
  if (demo.code !== 0 || demo.stdout === "") throw new Error(demo.stderr);
  expect(JSON.parse(demo.stdout)).toMatchObject({ issues: 8, landed: 8 });
  expect(demo.stderr).toContain("a stub on this machine answers");
});
