import { expect, test } from "vitest";
import type { AgentView } from "../../api/agents.ts";
import { leavingText, leftText } from "./left-running.ts";

const RUNNING = process.pid;
/** Larger than any process id. */
const NONE = 2 ** 30;

const agent = (about: Partial<AgentView>): AgentView =>
  ({
    identity: "dev-5",
    bead_id: "5",
    run: "5.1",
    status: "active",
    pid: RUNNING,
    ...about,
  }) as AgentView;

const starting = agent({ status: "starting", pid: null });

test("agents keep running only if one of them does", () => {
  expect(leftText([agent({})])).toBe("agents keep running");
  expect(leftText([])).toBe("no agent was running");
  expect(leftText([agent({ status: "terminated" })])).toBe("no agent was running");
  expect(leftText([agent({ pid: NONE })])).toBe("no agent was running");
});

test("an agent that the daemon was still to start is named, with what starts it", () => {
  const review = { identity: "review-9", bead_id: "review-9" };
  expect(leftText([starting])).toBe("no agent was running; #5 starts with the next `pawl up`");
  expect(leftText([agent({}), starting, { ...starting, ...review }])).toBe(
    "agents keep running; #5, review-9 start with the next `pawl up`",
  );
});

test("Ctrl-C names the agents that keep running and those that start with the next run", () => {
  const own = agent({ identity: "daemon-here", bead_id: null, run: null });
  const adopts = (them: string): string =>
    `\`pawl run\` or \`pawl up\` adopts ${them}, \`pawl down --kill-agents\` saves the work and ends ${them}.`;
  expect(leavingText([own])).toBe("Pawl stops; no agent is running. `pawl run` continues.");
  expect(leavingText([own, starting])).toBe(
    "Pawl stops; no agent is running; #5 starts with the next `pawl run`.",
  );
  expect(leavingText([agent({ identity: "dev-6" }), starting])).toBe(
    `Pawl stops; 1 agent keeps running: dev-6; #5 starts with the next \`pawl run\`.\n${adopts("it")}`,
  );
  expect(leavingText([agent({}), agent({ identity: "dev-6" })])).toBe(
    `Pawl stops; 2 agents keep running: dev-5, dev-6.\n${adopts("them")}`,
  );
});
