// opencode as a server, as every agent is tested; and its own screen in the pane.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMIT, makeAgentFactory, sessionOf, type TestedAgent } from "../support/agent-factory.ts";
import { agentProgram, STUBBED } from "../support/agent-programs.ts";
import { openPty } from "../support/pty.ts";
import { conformance } from "./conformance.ts";
import { furtherCases } from "./further-cases.ts";

const QUESTIONS = JSON.stringify({
  questions: [
    {
      question: "Which?",
      header: "Colour",
      options: [
        { label: "Red", description: "red" },
        { label: "Blue", description: "blue" },
      ],
    },
  ],
});

const OPENCODE: TestedAgent = {
  runtime: "opencode",
  program: agentProgram("opencode"),
  env: STUBBED.opencode.env,
  files: STUBBED.opencode.files,
  asking: 'permissions = "ask"',
  allows: "Yes, this time",
  question: `[[tool: question ${QUESTIONS}]]`,
  full: { tokens: 880_000 },
  retries: true,
  isHeavy: true,
  cannot: {
    "signed out": "without a login it uses the free models of its makers",
  },
};

conformance(OPENCODE);
furtherCases(OPENCODE, {
  settings: 'model = "anthropic/claude-haiku-4-5"',
  asked: /^claude-haiku-4-5$/,
});

test.skipIf(OPENCODE.program === undefined)(
  "a person who attaches sees opencode's own screen, and the work goes on",
  async () => {
    await using factory = await makeAgentFactory(OPENCODE);
    const mark = join(factory.root, "at-work");
    const loop = `: > ${mark}; while [ ! -e ${mark}.go ]; do sleep 0.1; done`;
    const body = `[[bash: ${loop}]] [[bash: echo done > seen.txt && ${COMMIT}]]`;
    const issue = await factory.addIssue({ title: "Be watched", body });
    factory.background("run");
    await factory.until("its tool runs", async () => existsSync(mark));
    const session = await sessionOf(factory, issue);
    const screen = (): string =>
      execFileSync("tmux", ["-S", factory.socket, "capture-pane", "-p", "-t", `=${session}:`], {
        encoding: "utf8",
      });
    // What Pawl tells of the work, until a person attaches.
    expect(screen()).toContain("press Enter for its own screen");
    using person = openPty(factory, { columns: 100, rows: 30 }, ["attach", String(issue)]);
    await factory.until("opencode's own screen is there", async () =>
      person.screen().some((line) => line.includes("esc interrupt")),
    );
    writeFileSync(`${mark}.go`, "");
    await factory.until("it has landed", async () => {
      const { outcome } = await factory.runOf(issue);
      return outcome === "landed";
    });
    expect(await factory.runOf(issue)).toMatchObject({ epoch: 1 });
  },
);
