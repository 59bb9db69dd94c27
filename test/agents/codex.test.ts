// Codex as a server, as every agent is tested; its own screen in the pane, and its own sandbox.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { COMMIT, makeAgentFactory } from "../support/agent-factory.ts";
import { CODEX } from "../support/tested-agents.ts";
import { conformance } from "./conformance.ts";
import { furtherCases } from "./further-cases.ts";

conformance(CODEX);
furtherCases(CODEX, {
  settings: 'model = "gpt-5.1-codex-mini"\nsandbox = "danger-full-access"',
  asked: /^gpt-5\.1-codex-mini$/,
});

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

/** Codex makes no sandbox for a home below /tmp. */
function homeElsewhere(): string {
  const folder = mkdtempSync("/var/tmp/pawl-codex-home-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function canSandbox(home: string): boolean {
  const words = ["sandbox", "-c", 'sandbox_mode="workspace-write"', "--", "true"];
  const env = { PATH: process.env["PATH"], HOME: home, CODEX_HOME: home };
  return spawnSync(CODEX.program ?? "", words, { cwd: home, env, stdio: "ignore" }).status === 0;
}

test.skipIf(CODEX.program === undefined)(
  "in its default sandbox Codex commits and reports, and writes nothing outside",
  async ({ skip }) => {
    const home = homeElsewhere();
    if (!canSandbox(home)) skip("this machine lets Codex make no sandbox");
    const { files, settings: _, ...plain } = CODEX;
    await using factory = await makeAgentFactory(
      { ...plain, files: () => ({}) },
      { agentEnv: { CODEX_HOME: home } },
    );
    const place = { home, stub: factory.stub.url };
    const config = files(place)[".codex/config.toml"] ?? "";
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "config.toml"), config.replace(/^sandbox_mode = .*$/m, ""));
    const outside = join(home, "outside.txt");
    const issue = await factory.addIssue({
      title: "Stay inside",
      body: `[[bash: echo out > ${outside}; echo done > inside.txt && ${COMMIT}]]`,
    });
    await factory.ok("run", "--until-idle");
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
    expect(factory.git("show", "main:inside.txt")).toBe("done");
    expect(existsSync(outside)).toBe(false);
  },
);
