// Other agents' real programs inside walls: each finds its own state there, is resumed after kill -9 in
// the same conversation, and lands its work.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  agentPid,
  COMMIT,
  conversations,
  makeAgentFactory,
  type TestedAgent,
} from "../support/agent-factory.ts";
import { agentProgram, CLAUDE_ACP, STUBBED } from "../support/agent-programs.ts";
import { noWalls, walled } from "../support/walls.ts";

const AGENTS: TestedAgent[] = [
  { runtime: "codex", program: agentProgram("codex"), ...STUBBED.codex },
  {
    runtime: "gemini",
    program: agentProgram("gemini"),
    ...STUBBED.gemini,
    settings: 'model = "gemini-2.5-pro"',
  },
  { runtime: "copilot", program: agentProgram("copilot"), ...STUBBED.copilot },
  { runtime: "opencode", program: agentProgram("opencode"), ...STUBBED.opencode },
  { runtime: "claude-acp", program: agentProgram("claude-acp"), ...CLAUDE_ACP },
];

for (const agent of AGENTS) {
  test.skipIf(agent.program === undefined || noWalls)(
    `${agent.runtime} lands an issue inside walls, continues its conversation after kill -9, and leaves the home as it was`,
    async () => {
      await using factory = await makeAgentFactory(agent);
      const notes = join(factory.root, "notes");
      mkdirSync(notes);
      factory.commit({ "pawl.toml": walled(factory.read("repo", "pawl.toml"), notes) });
      const home = factory.env["HOME"] ?? "";
      writeFileSync(join(home, "private"), "");
      const users = readdirSync(home, { recursive: true });
      const mark = join(notes, "in-tool");
      const find = `[[find: FOUND-OUT | ls -A "$HOME" > home.txt; echo one > notes.txt; echo FOUND-OUT]]`;
      const again = `${find} [[bash: echo two >> notes.txt && ${COMMIT}]]`;
      const issue = await factory.addIssue({
        title: "Work in steps",
        body: `${find} [[bash: : > ${mark}; while [ ! -e ${mark}.go ]; do sleep 0.1; done]] [[on resume]]${again}[[end]]`,
      });
      factory.background("run", "--until-idle");
      await factory.until("its tool runs", async () => existsSync(mark));
      const before = factory.stub.requests.length;
      expect(await factory.ok("why", String(issue))).toContain(
        "walls: bwrap; checked before the start",
      );
      process.kill(agentPid(await factory.runOf(issue)), "SIGKILL");
      await factory.until("it has landed", async () => {
        const { outcome } = await factory.runOf(issue);
        return outcome === "landed";
      });
      expect(await factory.runOf(issue)).toMatchObject({ epoch: 2 });
      expect(factory.git("show", "main:notes.txt")).toBe("one\ntwo");
      const since = conversations(factory).slice(before);
      const resumed = since.find((text) => text.includes("This conversation continues"));
      expect(resumed).toContain("FOUND-OUT");
      expect(factory.git("show", "main:home.txt")).not.toContain("private");
      expect(readdirSync(home, { recursive: true })).toEqual(users);
      const left = factory.leftovers().filter((line) => line.includes(`-e ${mark}`));
      expect(left).toEqual([]);
    },
  );
}
