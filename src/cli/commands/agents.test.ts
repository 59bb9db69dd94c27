import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { AgentView } from "../../api/agents.ts";

const AGENT: AgentView = {
  role: "dev",
  name: "7",
  identity: "dev-7",
  project: "toy",
  session_id: "dev-7-2@toy",
  pid: 4711,
  tmux_session: "dev-toy-7",
  node_id: null,
  bead_id: "7",
  worktree_path: "/h/projects/toy/workspaces/dev-7",
  hook_path: "/h/projects/toy/state/hooks/dev-7.json",
  created_at: ago(60),
  last_seen: ago(1),
  last_progress: ago(1),
  status: "active",
  predecessor_id: "dev-7-1@toy",
  epoch: 2,
  run: "7.1",
  liveness: "green",
  stage: "working",
  phase: null,
  verdict: null,
  waiting: null,
  context: { percent: 42, urgency: "none", symptoms: [] },
  orphan: null,
};
const PAST: AgentView = {
  ...AGENT,
  identity: "dev-5",
  name: "5",
  status: "terminated",
  liveness: "red",
  stage: "ended",
  pid: null,
  tmux_session: null,
};

const answers = { "GET /v1/agents": [AGENT], "GET /v1/agents?all=true": [PAST, AGENT] };
const WORLD = { answers, columns: 120 };

test("agents at work are listed, past ones where asked for", async () => {
  expect((await pawlOnTty(["agents"], WORLD)).stdout).toMatchInlineSnapshot(`
    "AGENT  PROJECT  STATUS  STAGE    EPOCH   PID  SESSION    SEEN       WORKSPACE
    dev-7  toy      active  working      2  4711  dev-toy-7  1 min ago  /h/projects/toy/workspaces/dev-7
    "
  `);
  expect((await pawl(["agents", "--all"], WORLD)).stdout).toMatchInlineSnapshot(`
    "dev-5	toy	terminated	red	ended	2			2026-03-01T11:59:00.000Z	/h/projects/toy/workspaces/dev-7	
    dev-7	toy	active	green	working	2	4711	dev-toy-7	2026-03-01T11:59:00.000Z	/h/projects/toy/workspaces/dev-7	
    "
  `);
  expect(JSON.parse((await pawl(["agents", "--json"], WORLD)).stdout)).toEqual([AGENT]);
  expect(JSON.parse((await pawl(["agents", "--json", "--all"], WORLD)).stdout)).toHaveLength(2);
});

test("the last column names the program that works as the agent", async () => {
  const answers = { "GET /v1/agents": [{ ...AGENT, agent: "claude" }] };
  const { stdout } = await pawlOnTty(["agents"], { answers, columns: 160 });
  expect(stdout).toMatch(/ {2}WORKSPACE +PROGRAM\n.* claude\n$/);
});

test("having no running agent is no failure", async () => {
  expect(await pawl(["agents"], { answers: { "GET /v1/agents": [] } })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "no agents at work; --include-ended shows past ones\n",
  });
});

test("stale agents are those that count as active and were not seen for long", async () => {
  const stale = { ...AGENT, identity: "dev-8", liveness: "red" };
  const answers = { "GET /v1/agents": [PAST, AGENT, stale] };
  const { stdout } = await pawl(["agents", "--stale", "--json"], { answers });
  expect(JSON.parse(stdout)).toEqual([stale]);
  const none = await pawl(["agents", "--stale"], { answers: { "GET /v1/agents": [AGENT] } });
  expect(none.stderr).toBe("no agent is stale\n");
});

test("orphans are asked for by themselves", async () => {
  const orphan = { ...AGENT, orphan: "no-run", stage: "none" };
  const answers = { "GET /v1/agents?orphan=true": [orphan] };
  const { stdout } = await pawl(["agents", "--orphan", "--json"], { answers });
  expect(JSON.parse(stdout)).toEqual([orphan]);
  const none = await pawl(["agents", "--orphan"], {
    answers: { "GET /v1/agents?orphan=true": [] },
  });
  expect(none.stderr).toBe("every session and process belongs to a run\n");
});
