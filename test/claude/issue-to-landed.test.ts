// An issue goes to main with the real Claude Code at work, and red CI comes back to it as a prompt. Runs
// against every version of Claude Code that Pawl is tested with (scripts/test.ts).
import { dirname } from "node:path";
import { expect, test } from "vitest";
import type { CostsView } from "../../src/api/costs.ts";
import {
  claudePath,
  COMMIT,
  makeClaudeFactory,
  noClaude,
  prompts,
  workToIdle,
} from "../support/claude.ts";

test.skipIf(noClaude)(
  "three commands lead from a clean repository to landed work, and its cost is known",
  async () => {
    await using factory = await makeClaudeFactory({
      bare: true,
      files: { "package.json": '{"scripts":{"test":"sh test.sh"}}\n' },
      env: {
        PATH: `${dirname(claudePath)}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      },
    });
    await factory.ok("init", "--yes");
    expect(factory.read("repo", "pawl.toml")).toContain('runtime = "claude"');
    const body = `[[bash: echo hello > greeting.txt]] [[bash: ${COMMIT}]]`;
    await factory.ok("issue", "add", "--title", "Add a greeting", "--body", body);
    await factory.ok("run", "--until-idle");
    expect(factory.git("show", "main:greeting.txt")).toBe("hello");
    // The stub counts 1,000 tokens for every request: two tools; and the end of the turn and messages, which
    // may come after the work has landed and are not waited for.
    const { rows, total } = JSON.parse(
      await factory.ok("costs", "--by", "run", "--json"),
    ) as CostsView;
    expect(rows).toHaveLength(1);
    expect(total.input_tokens % 1000).toBe(0);
    expect(total.input_tokens).toBeGreaterThanOrEqual(2000);
    expect(total.cost_usd).toBeGreaterThan(0);
  },
);

test.skipIf(noClaude)(
  "red CI reaches Claude Code as a confirmed prompt, and is fixed",
  async () => {
    await using factory = await makeClaudeFactory({
      files: { "test.sh": "[ ! -e mistake.txt ] || { echo the mistake is here; exit 3; }\n" },
    });
    const fix = `[[on ci-failed]][[bash: git rm -q mistake.txt && echo ok > fixed.txt && ${COMMIT}]][[end]]`;
    const issue = await factory.addIssue({
      title: "Make and fix a mistake",
      body: `[[bash: echo x > mistake.txt && ${COMMIT}]] ${fix}`,
    });
    await workToIdle(factory);
    expect(factory.git("show", "main:fixed.txt")).toBe("ok");
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
    const told = prompts(factory).filter((prompt) => prompt.includes("Kind: ci-failed"));
    expect(told[0]).toContain("the mistake is here");
  },
);
