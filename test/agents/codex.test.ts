// Codex as a server, as every agent is tested; and its own screen in the pane.
import { expect, test } from "vitest";
import { COMMIT, makeAgentFactory, type TestedAgent } from "../support/agent-factory.ts";
import { agentProgram, STUBBED } from "../support/agent-programs.ts";
import { conformance } from "./conformance.ts";

const CODEX: TestedAgent = {
  runtime: "codex",
  program: agentProgram("codex"),
  env: STUBBED.codex.env,
  files: STUBBED.codex.files,
  // Not every machine that runs tests lets a program make a sandbox.
  settings: 'sandbox = "danger-full-access"',
  asking: 'approval = "untrusted"',
  allows: "Yes, this time",
  full: { tokens: 225_000 },
  interrupt: "Escape",
  cannot: {
    "signed out":
      "a server of Codex without a login starts a thread all the same, and only OpenAI's server refuses it; `pawl doctor` asks `codex login status`",
    question: "it offers its model a tool to ask a person only in its plan mode",
  },
};

conformance(CODEX);

test.skipIf(CODEX.program === undefined)("the pane shows the screen of Codex", async () => {
  await using factory = await makeAgentFactory(CODEX);
  const issue = await factory.addIssue({
    title: "Be looked at",
    body: `[[bash: sleep 2; echo done > seen.txt && ${COMMIT}]]`,
  });
  await factory.ok("run", "--until-idle");
  expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
  expect(await factory.ok("logs", String(issue))).toContain("OpenAI Codex");
});
