import { join } from "node:path";
import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { RunView, StatusView } from "../../api/runs.ts";

const NOTHING: StatusView = {
  version: "1.2.3",
  home: "/h",
  daemon: null,
  projects: [],
  runs: [],
  queue: [],
  waits: [],
  landed: [],
  idle: true,
};

const PROJECT: StatusView["projects"][number] = {
  name: "toy",
  root: "/home/ada/toy",
  target: "main",
  parallel: 3,
  paused: null,
  config_problem: null,
  backlog: { ready: 0, waiting: 0, blocked: 0 },
};

const RUN: RunView = {
  run: "7.1",
  project: "toy",
  issue: 7,
  title: "Fix the parser",
  identity: "dev-7",
  role: "dev",
  stage: "checking",
  doing: "CI is running",
  needs_you: null,
  phase: "awaiting_ci",
  epoch: 1,
  alive: true,
  pid: 4711,
  tmux_session: "dev-toy-7",
  branch: "pawl/7-fix-the-parser",
  head: "0123456789abcdef",
  base: null,
  pr: 9,
  worktree_path: "/w",
  log_path: "/l",
  agent: "script",
  crashes: 0,
  landed_as: null,
  requested_at: ago(12),
  ended_at: null,
  outcome: null,
  messages: [],
  waiting: null,
  last_seen: null,
  last_progress: null,
  work_phase: "implementation",
  work_summary: "the parser",
  warnings: [],
};

const BUSY: StatusView = {
  ...NOTHING,
  daemon: { pid: 321, since: ago(125), version: "1.2.3" },
  projects: [{ ...PROJECT, backlog: { ready: 2, waiting: 1, blocked: 1 } }],
  runs: [
    RUN,
    {
      ...RUN,
      issue: 8,
      title: "Name things",
      doing: "waiting for a person: which name?",
      needs_you: "which name?",
      alive: false,
    },
    { ...RUN, issue: 5, branch: "pawl/5-x", outcome: "landed", ended_at: ago(3) },
  ],
  queue: [{ project: "toy", id: 3, branch: "pawl/6-x", status: "held", reason: "edits in a.ts" }],
  waits: [
    {
      project: "toy",
      about: "#8 Name things",
      why: "which name?",
      needs_you: true,
      command: 'pawl escalation answer 8 "…"',
    },
    { project: "toy", about: "pawl/6-x", why: "edits in a.ts", needs_you: true, command: null },
  ],
  landed: [{ project: "toy", branch: "pawl/5-x", at: ago(3) }],
  idle: false,
};

const of = (status: StatusView) => ({ answers: { "GET /v1/status": status } });

test("a run that needs a person after crashes names the command that shows why it crashed", async () => {
  const [asked, ...others] = BUSY.waits;
  const crashed = { ...asked!, why: "crashed 3 times without a new commit" };
  const { stdout } = await pawlOnTty(["status"], of({ ...BUSY, waits: [crashed, ...others] }));
  expect(stdout).toContain(
    `without a new commit\n    pawl logs 8\n    pawl doctor\n    pawl escalation answer 8 "…"\n`,
  );
});

test("one screen says what it is doing and what needs you", async () => {
  expect((await pawlOnTty(["status"], of(BUSY))).stdout).toMatchInlineSnapshot(`
    "pawl 1.2.3: running for 2 h 5 min (pid 321)

    toy  /home/ada/toy → main, 3 at once

    runs
      ISSUE  TITLE           DOING            AGENT  SINCE
      #7     Fix the parser  CI is running    alive  12 min ago
      #8     Name things     waiting for you  –      12 min ago

    merge queue
      ENTRY  BRANCH    STATUS  REASON
         e3  pawl/6-x  held    edits in a.ts

    needs you
      #8 Name things: which name?
        pawl escalation answer 8 "…"
      pawl/6-x: edits in a.ts

    landed
      #5 Fix the parser  3 min ago

    backlog: 2 ready, 1 waiting for others, 1 blocked (pawl issue list --label blocked)
    "
  `);
});

test("beside what a run does stands since when it does that, not when the run began", async () => {
  const runs = [{ ...RUN, doing: "working", doing_since: ago(2) }];
  const { stdout } = await pawlOnTty(["status"], of({ ...BUSY, runs }));
  expect(stdout).toMatch(/#7 +Fix the parser +working +alive +2 min ago\n/);
});

test("in a pipe, too, a branch that was sent back is explained in plain words, and a question stays as asked", async () => {
  const command = "pawl merge-queue explain clash";
  const back = { project: "toy", about: "clash", needs_you: true, command };
  const why = "sent back: conflicts with the target in a, changed there by 1 (entry 4, good)";
  const [asked] = BUSY.waits;
  const waits = [
    { ...back, why },
    { ...back, why: "sent back: red on top of a green target (test)" },
    { ...asked!, why: "Delete entry 5 in 90 seconds?" },
  ];
  const { stdout } = await pawl(["status"], of({ ...BUSY, waits }));
  expect(stdout).toContain("changed there by 1 (e4, good)\t");
  expect(stdout).toContain("test passes on the target and fails with this branch on it\t");
  expect(stdout).toContain("\tDelete entry 5 in 90 seconds?\t");
});

test("in a pipe every line says what it is about", async () => {
  expect((await pawl(["status"], of(BUSY))).stdout).toMatchInlineSnapshot(`
    "daemon	running	321	2026-03-01T09:55:00.000Z
    project	toy	/home/ada/toy	main	2	1	1
    run	toy	7	Fix the parser	checking	alive	2026-03-01T11:48:00.000Z	CI is running
    run	toy	8	Name things	checking	none	2026-03-01T11:48:00.000Z	waiting for a person: which name?
    queue	toy	3	pawl/6-x	held
    wait	toy	#8 Name things	which name?	pawl escalation answer 8 "…"
    wait	toy	pawl/6-x	edits in a.ts	
    landed	toy	pawl/5-x	2026-03-01T11:57:00.000Z
    "
  `);
});

test("without a project the next step is named", async () => {
  expect((await pawlOnTty(["status"], of(NOTHING))).stdout).toMatchInlineSnapshot(`
    "pawl 1.2.3: no daemon runs

    no project yet
      pawl init    set up the repository you are in
      pawl demo    see it work, in a scratch repository
    "
  `);
});

test("without work the next step is named", async () => {
  const status = { ...NOTHING, projects: [PROJECT] };
  expect((await pawlOnTty(["status"], of(status))).stdout).toMatchInlineSnapshot(`
    "pawl 1.2.3: no daemon runs

    toy  /home/ada/toy → main, 3 at once

    backlog: empty
    pawl issue add --title "…" adds an issue
    "
  `);
});

test("ready work without a running daemon is reported, with the command that starts it", async () => {
  const ready = { ...PROJECT, backlog: { ready: 2, waiting: 0, blocked: 0 } };
  const { stdout } = await pawlOnTty(["status"], of({ ...NOTHING, projects: [ready] }));
  expect(stdout).toContain(
    "backlog: 2 ready\npawl run works on it here, pawl up in the background\n",
  );
});

test("colours mark what needs you, only where they are seen", async () => {
  const { stdout } = await pawlOnTty(["status"], { ...of(BUSY), colour: true });
  expect(stdout).toContain("\u001b[33m#8 Name things\u001b[39m: which name?");
});

test("--all asks for every project, and --json tells everything", async () => {
  const answers = { "GET /v1/status?all=true": BUSY };
  const { stdout } = await pawl(["status", "--all", "--json"], { answers });
  expect(JSON.parse(stdout)).toEqual(BUSY);
});

test("without a daemon, what waits for a person alone is not continued by one", async () => {
  const waits = BUSY.runs.filter((run) => run.needs_you !== null);
  const still = { ...BUSY, daemon: null, projects: [PROJECT], runs: waits, queue: [] };
  const { stdout } = await pawlOnTty(["status"], of(still));
  expect(stdout).not.toContain("pawl run");
  const { stdout: working } = await pawlOnTty(["status"], of({ ...still, runs: [RUN] }));
  expect(working).toContain("pawl run continues the work here, pawl up in the background");
});

test("in a repository that is no project, the projects are named and so is the way to set it up", async () => {
  const cwd = import.meta.dirname;
  const root = join(cwd, "../../..");
  const busy = { ...BUSY, daemon: null };
  const { stdout } = await pawlOnTty(["status"], { ...of(busy), cwd });
  expect(stdout).toContain("pawl --project toy run works on it here");
  expect(stdout).toContain(`\n${root} is not a project yet: pawl init sets it up\n`);
  const at = { ...busy, projects: busy.projects.map((one) => ({ ...one, root })) };
  expect((await pawlOnTty(["status"], { ...of(at), cwd })).stdout).not.toContain("not a project");
});

test("a path that is longer than the line stays whole, so that it can be copied", async () => {
  const path = `/home/ada/.local/state/pawl/projects/toy/${"a-long-name/".repeat(6)}1-test.log`;
  const [asked] = BUSY.waits;
  const wait = { ...asked!, why: `exit code 2\n  whole output: ${path}` };
  const { stdout } = await pawlOnTty(["status"], of({ ...BUSY, waits: [wait] }));
  expect(stdout).toContain(path);
});
