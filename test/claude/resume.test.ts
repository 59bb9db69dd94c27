// kill -9 of Claude Code while its model answers: its successor resumes the same conversation.
// test/agents/claude.test.ts kills it while a tool runs.
import { expect, test } from "vitest";
import {
  claudePid,
  COMMIT,
  conversationOf,
  hasTranscript,
  makeClaudeFactory,
  noClaude,
} from "../support/claude.ts";

test.skipIf(noClaude)("killed while the model answers, it is resumed where it was", async () => {
  await using factory = await makeClaudeFactory();
  const issue = await factory.addIssue({
    title: "Think for a long time",
    body: `THE-TASK [[slow: 60000]] [[on resume]][[bash: echo done > done.txt && ${COMMIT}]][[end]]`,
  });
  factory.background("run", "--until-idle");
  await factory.until("the model is asked", async () => factory.stub.requests.length > 0);
  // The transcript has the prompt a moment after the request is out.
  await factory.until("the prompt is in the transcript", async () => hasTranscript(factory));
  const before = factory.stub.requests.length;
  process.kill(claudePid(factory, await factory.runOf(issue)), "SIGKILL");
  await factory.until("the issue has landed", async () => {
    const { outcome } = await factory.runOf(issue);
    return outcome === "landed";
  });
  expect(await factory.runOf(issue)).toMatchObject({ epoch: 2 });
  expect(factory.git("show", "main:done.txt")).toBe("done");
  const resumed = factory.stub.requests
    .slice(before)
    .map(conversationOf)
    .find((text) => text.includes("This conversation continues"));
  expect(resumed).toContain("THE-TASK");
});
