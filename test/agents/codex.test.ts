// Codex as a server, as every agent is tested; and its own screen in the pane.
import { expect, test } from "vitest";
import { COMMIT, makeAgentFactory } from "../support/agent-factory.ts";
import { CODEX } from "../support/tested-agents.ts";
import { conformance } from "./conformance.ts";

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
