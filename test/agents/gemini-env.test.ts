// Gemini CLI looks for a file .env in its workspace and in all folders above it: Pawl's own is there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMIT, makeAgentFactory } from "../support/agent-factory.ts";
import { agentProgram, STUBBED } from "../support/agent-programs.ts";

const program = agentProgram("gemini");

test.skipIf(program === undefined)(
  "what stands in Pawl's own .env is not in the environment of Gemini CLI's tools",
  async () => {
    await using factory = await makeAgentFactory({
      runtime: "gemini",
      program,
      env: STUBBED.gemini.env,
      files: STUBBED.gemini.files,
      settings: 'model = "gemini-2.5-pro"',
    });
    writeFileSync(join(factory.home, ".env"), "FORGE_KEY=key-of-the-owner\n", { mode: 0o600 });
    const body = `[[bash: env > seen.txt; ${COMMIT}]]`;
    const issue = await factory.addIssue({ title: "Look around", body });
    await factory.pawl("run", "--until-idle");
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed" });
    expect(factory.git("show", "main:seen.txt")).not.toContain("key-of-the-owner");
  },
);
