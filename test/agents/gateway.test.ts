// The real Codex through the gateway to its model: it works without the key, and its requests stop
// after the one that spent the run's budget.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMIT, makeAgentFactory, type TestedAgent } from "../support/agent-factory.ts";
import { agentProgram } from "../support/agent-programs.ts";

const SECRET = "key-of-the-owner-0123456789";

const CODEX: TestedAgent = {
  runtime: "codex",
  program: agentProgram("codex"),
  env: ({ home }) => ({ CODEX_HOME: `${home}/.codex` }),
  files: () => ({ ".codex/config.toml": 'model = "gpt-5.4"\n' }),
  settings: 'sandbox = "danger-full-access"',
};
test.skipIf(CODEX.program === undefined)(
  "Codex lands an issue without the key, and exceeds a budget by at most one request",
  async () => {
    await using factory = await makeAgentFactory(CODEX, {
      limits: `hand_off = "2 s"\n[gateway]\nkeys = ["work"]\n[budget]\nrun = { tokens = 40_000 }\n`,
    });
    const key = `[gateway.keys.work]\nprovider = "openai"\nvariable = "WORK_KEY"\nurl = "${factory.stub.url}"\n`;
    writeFileSync(join(factory.home, "factory.toml"), key);
    writeFileSync(join(factory.home, ".env"), `WORK_KEY=${SECRET}\n`);
    chmodSync(join(factory.home, ".env"), 0o600);
    const landed = await factory.addIssue({
      title: "Work",
      body: `[[usage: 3000 10]] [[bash: env > seen.txt; ${COMMIT}]]`,
    });
    await factory.pawl("run", "--until-idle");
    expect(await factory.runOf(landed)).toMatchObject({ outcome: "landed" });
    expect(factory.git("show", "main:seen.txt")).not.toContain(SECRET);
    expect(new Set(factory.stub.keys)).toEqual(new Set([SECRET]));

    const first = factory.stub.replies.length;
    const steps = Array.from({ length: 8 }, (_, step) => `[[bash: echo ${step} >> steps.txt]]`);
    await factory.addIssue({ title: "Spend", body: `[[usage: 25000 0]] ${steps.join(" ")}` });
    const { code, stderr } = await factory.pawl("run", "--until-idle");
    expect([code, stderr]).toEqual([
      8,
      expect.stringMatching(/budget: run spent [\d,]+ of 40,000/),
    ]);
    const used = factory.stub.replies.slice(first).map(({ usage }) => usage.input + usage.output);
    const before = used.slice(0, -1).reduce((sum, one) => sum + one, 0);
    expect(before).toBeLessThan(40_000);
  },
);
