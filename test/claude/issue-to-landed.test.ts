// An issue goes to main with the real Claude Code at work, and red CI comes back to it as a prompt.
import { expect, test } from "vitest";
import type { CostsView } from "../../src/api/costs.ts";
import { COMMIT, makeClaudeFactory, noClaude, prompts, workToIdle } from "../support/claude.ts";

test.skipIf(noClaude)("an issue is worked on by Claude Code and lands", async () => {
  await using factory = await makeClaudeFactory();
  const issue = await factory.addIssue({
    title: "Add a greeting",
    body: `[[bash: echo hello > greeting.txt]] [[bash: ${COMMIT}]]`,
  });
  await workToIdle(factory);
  expect(factory.git("show", "main:greeting.txt")).toBe("hello");
  expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
  // The stub counts 1,000 tokens for every request: two tools, the end of the turn, and messages.
  const costs = JSON.parse(await factory.ok("costs", "--by", "run", "--json")) as CostsView;
  expect(costs.rows.map(({ key }) => key)).toEqual([`${factory.project}/1.1`]);
  expect(costs.total.input_tokens % 1000).toBe(0);
  expect(costs.total.input_tokens).toBeGreaterThanOrEqual(3000);
  expect(costs.total.cost_usd).toBeGreaterThan(0);
});

test.skipIf(noClaude)(
  "red CI reaches Claude Code as a confirmed prompt, and is mended",
  async () => {
    await using factory = await makeClaudeFactory({
      files: { "test.sh": "[ ! -e mistake.txt ] || { echo the mistake is here; exit 3; }\n" },
    });
    const mend = `[[on ci-failed]][[bash: git rm -q mistake.txt && echo ok > mended.txt && ${COMMIT}]][[end]]`;
    const issue = await factory.addIssue({
      title: "Make and mend a mistake",
      body: `[[bash: echo x > mistake.txt && ${COMMIT}]] ${mend}`,
    });
    await workToIdle(factory);
    expect(factory.git("show", "main:mended.txt")).toBe("ok");
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
    const told = prompts(factory).filter((prompt) => prompt.includes("Kind: ci-failed"));
    expect(told[0]).toContain("the mistake is here");
  },
);
