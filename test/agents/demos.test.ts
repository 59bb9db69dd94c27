// `pawl demo --agent NAME`: the demo with the real program, without an account. One agent is killed at
// work, and its successor resumes the same conversation.
import { expect, test } from "vitest";
import { factoryWith } from "../support/agent-on-path.ts";
import { agentProgram } from "../support/agent-programs.ts";

/** By the name of the runtime: the program that is looked for on the PATH. */
const PROGRAMS = {
  codex: "codex",
  gemini: "gemini",
  copilot: "copilot",
  "claude-acp": "claude-agent-acp",
} as const;

for (const [runtime, name] of Object.entries(PROGRAMS)) {
  const path = agentProgram(runtime);
  test.skipIf(path === undefined)(`the demo lands its issues with ${runtime} at work`, async () => {
    await using factory = await factoryWith({ name, path: path ?? "" });
    const demo = await factory.pawl("demo", "--agent", runtime, "--json");
    if (demo.code !== 0) throw new Error(`${demo.stdout}\n${demo.stderr}`);
    expect(JSON.parse(demo.stdout)).toMatchObject({ issues: 8, landed: 8 });
    expect(demo.stderr).toContain("a stub on this machine answers");
  });
}
