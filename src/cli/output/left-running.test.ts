import { expect, test } from "vitest";
import type { AgentView } from "../../api/agents.ts";
import { leftText } from "./left-running.ts";

const RUNNING = process.pid;
/** Larger than any process id. */
const NONE = 2 ** 30;

const agent = (about: Partial<AgentView>): AgentView =>
  ({ identity: "dev-5", bead_id: "5", status: "active", pid: RUNNING, ...about }) as AgentView;

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
