// kill -9 of Claude Code at work: its successor resumes the same conversation, and nothing of the
// dead life is left running.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  callsSince,
  claudePid,
  COMMIT,
  conversationOf,
  hasTranscript,
  makeClaudeFactory,
  noClaude,
  type ClaudeFactory,
} from "../support/claude.ts";

const INVESTIGATE = "cat test.sh; echo one > notes.txt; echo FOUND-OUT";

/** Kills the agent's own process, not its wrapper, and waits for the landing. */
async function killAndLand(factory: ClaudeFactory, issue: number): Promise<number> {
  const run = await factory.runOf(issue);
  const before = factory.stub.requests.length;
  process.kill(claudePid(factory, run), "SIGKILL");
  await factory.until("the issue has landed", async () => {
    const { outcome } = await factory.runOf(issue);
    return outcome === "landed";
  });
  expect(await factory.runOf(issue)).toMatchObject({ epoch: 2 });
  return before;
}

test.skipIf(noClaude)("killed in the middle of a tool, it is resumed where it was", async () => {
  await using factory = await makeClaudeFactory();
  const marker = join(factory.root, "in-tool");
  const loop = `echo two >> notes.txt; : > ${marker}; while [ ! -e ${marker}.never ]; do sleep 0.2; done`;
  const issue = await factory.addIssue({
    title: "Work in three steps",
    body: [
      `[[find: FOUND-OUT | ${INVESTIGATE}]]`,
      `[[bash: ${loop}]]`,
      `[[on resume]][[find: FOUND-OUT | ${INVESTIGATE}]] [[bash: echo three >> notes.txt]] [[bash: ${COMMIT}]][[end]]`,
    ].join(" "),
  });
  factory.background("run", "--until-idle");
  await factory.until("the tool is running", async () => existsSync(marker));
  const before = await killAndLand(factory, issue);
  expect(factory.git("show", "main:notes.txt")).toBe("one\ntwo\nthree");
  const resumed = conversationOf(factory.stub.requests[before]);
  expect(resumed).toContain("FOUND-OUT");
  expect(resumed).toContain("This conversation continues");
  // The stub looks only for what its conversation does not hold: nothing is found out again.
  const calls = callsSince(factory, before).slice(0, 5);
  expect(calls.filter((call) => /FOUND-OUT|in-tool/.test(call))).toEqual([]);
  // The successor's prompt quotes the command; the command itself must not run any more.
  const left = factory.leftovers().filter((line) => !line.includes("claude-settings.json"));
  expect(left.filter((line) => line.includes("in-tool"))).toEqual([]);
  writeFileSync(`${marker}.never`, "");
});

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
  const before = await killAndLand(factory, issue);
  expect(factory.git("show", "main:done.txt")).toBe("done");
  const resumed = factory.stub.requests
    .slice(before)
    .map(conversationOf)
    .find((text) => text.includes("This conversation continues"));
  expect(resumed).toContain("THE-TASK");
});
