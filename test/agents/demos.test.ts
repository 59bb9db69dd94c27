// `pawl demo --agent NAME`: the demo with the real program, without an account. One agent is killed at
// work, and its successor resumes the same conversation.
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { agentProgram } from "../support/agent-programs.ts";
import { makeFactory } from "../support/pawl.ts";

/** By the name of the runtime: the program that is looked for on the PATH. */
const PROGRAMS = {
  codex: "codex",
  gemini: "gemini",
  copilot: "copilot",
  "claude-acp": "claude-agent-acp",
} as const;

for (const [name, program] of Object.entries(PROGRAMS)) {
  const path = agentProgram(name);
  test.skipIf(path === undefined)(`the demo lands its issues with ${name} at work`, async () => {
    await using factory = await makeFactory();
    const bin = join(factory.root, "bin");
    mkdirSync(bin);
    symlinkSync(path ?? "", join(bin, program));
    factory.env["PATH"] = `${bin}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
    const demo = await factory.pawl("demo", "--agent", name, "--json");
    if (demo.stdout === "") throw new Error(demo.stderr);
    expect(JSON.parse(demo.stdout)).toMatchObject({ issues: 8, landed: 8 });
    expect(demo.stderr).toContain("a stub on this machine answers");
  });
}
