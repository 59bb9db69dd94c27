// `pawl demo --agent NAME`: the demo with a real program, without an account. Codex plays all of it. The
// others begin as the demo begins them, and work on its one issue that depends on the program: its command
// kills the agent that runs it, and the next session continues.
import { expect, onTestFinished, test } from "vitest";
import { DEMO_ISSUES } from "../../src/cli/demo-issues.ts";
import { agentSection, demoAgent, settleIn } from "../../src/cli/demo-model.ts";
import { startModelStub } from "../../src/cli/model-stub/server.ts";
import { factoryWith } from "../support/agent-on-path.ts";
import { agentProgram } from "../support/agent-programs.ts";
import { LIMITS, TEST_GATE } from "../support/pawl.ts";

const codex = agentProgram("codex");

test.skipIf(codex === undefined)("the demo lands its issues with codex at work", async () => {
  await using factory = await factoryWith({ name: "codex", path: codex ?? "" });
  const demo = await factory.pawl("demo", "--agent", "codex", "--json");
  if (demo.code !== 0) throw new Error(`${demo.stdout}\n${demo.stderr}`);
  expect(JSON.parse(demo.stdout)).toMatchObject({ issues: 8, landed: 8 });
  expect(demo.stderr).toContain("a stub on this machine answers");
});

/** `program`: what the demo looks for on the PATH. `lives`: at least; Claude Code's commands do not kill it. */
const OTHERS = [
  { name: "gemini", program: "gemini", lives: 2 },
  { name: "copilot", program: "copilot", lives: 2 },
  { name: "claude-acp", program: "claude-agent-acp", lives: 1 },
  { name: "opencode", program: "opencode", lives: 2 },
];

for (const { name, program, lives } of OTHERS) {
  const path = agentProgram(name);
  test.skipIf(path === undefined)(
    `as the demo begins it, ${name} lands the issue whose command kills its agent`,
    async () => {
      const stub = await startModelStub();
      onTestFinished(() => stub.close());
      await using factory = await factoryWith({ name: program, path: path ?? "" });
      const place = { home: factory.env["HOME"] ?? "", url: stub.url };
      settleIn(demoAgent(name), place);
      const agent = agentSection(demoAgent(name), place);
      const config = factory.config(`${agent}\n${TEST_GATE}${LIMITS}`);
      factory.commit({ "pawl.toml": config, "tools/none": "", "tests/none": "" });
      const killing = DEMO_ISSUES.filter(({ body }) => body.includes("kill -9"));
      expect(killing).toHaveLength(1);
      for (const one of killing) await factory.addIssue(one);
      await factory.ok("run", "--until-idle");
      const run = await factory.runOf(1);
      expect(run.outcome).toBe("landed");
      // A slow program that is silent for longer than the short limits is ended once more.
      expect(run.epoch).toBeGreaterThanOrEqual(lives);
      expect(factory.git("show", "main:tools/sort.sh")).toContain("sort -u");
    },
  );
}
