// Who is alive, through the command line, with real agents in real tmux.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentSchema, type AgentView } from "../../src/api/agents.ts";
import { isRunning } from "../support/pawl.ts";
import { sessionFactory } from "../support/sessions.ts";

const R12 =
  "role name session_id pid tmux_session node_id bead_id worktree_path hook_path created_at last_seen status predecessor_id";

const WAITS = `
cp "\${PAWL_HOOK_FILE%/hooks/*}/identities/dev-$PAWL_NAME.json" "$SEEN/birth-$PAWL_NAME-$PAWL_EPOCH"
note copied
await never
`;

test("AC-1.1, AC-1.5: an identity is published before its process starts, and listed with every field", async () => {
  await using factory = await sessionFactory(WAITS);
  await factory.addIssue({ title: "Wait" });
  const daemon = await factory.daemon();
  await factory.started(1);
  await factory.until("it has copied what it saw", async () => factory.seen("copied-1-1"));
  const birth = JSON.parse(factory.left("birth-1-1")) as AgentView;
  expect(Object.keys(birth)).toEqual(expect.arrayContaining(R12.split(" ")));
  expect(birth).toMatchObject({
    role: "dev",
    name: "1",
    session_id: `dev-1-1@${factory.project}`,
    bead_id: "1",
    status: "active",
    predecessor_id: null,
    epoch: 1,
    worktree_path: join(factory.projectDir, "workspaces/dev-1"),
    hook_path: join(factory.projectDir, "state/hooks/dev-1.json"),
  });
  const listed = JSON.parse(await factory.ok("agents", "--json")) as unknown[];
  const agents = listed.map((one) => agentSchema.parse(one));
  expect(agents.map(({ role, status, liveness }) => ({ role, status, liveness }))).toEqual([
    { role: "daemon", status: "active", liveness: "green" },
    { role: "dev", status: "active", liveness: "green" },
  ]);
  expect(agents[0]?.pid).toBe(daemon.pid);
  expect(await factory.ok("agents")).toContain(`dev-${factory.project}-1`);
  expect((await factory.signals()).map(({ kind }) => kind)).toContain("AGENT_REGISTERED");
});

test("AC-1.2: last_seen moves on while the agent lives, in the registry and in its file", async () => {
  await using factory = await sessionFactory(WAITS);
  await factory.addIssue({ title: "Wait" });
  await factory.daemon();
  const { last_seen: first } = await factory.started(1);
  await factory.until("it was seen again", async () => (await factory.agent()).last_seen > first);
  await factory.until("and published", async () => factory.identityFile().last_seen > first);
  expect((await factory.agent()).liveness).toBe("green");
});

test("AC-1.3: a stale identity is detected, without a daemon at once and by a new one within a look", async () => {
  await using factory = await sessionFactory(WAITS, { limits: 'stale = "2 s"' });
  await factory.addIssue({ title: "Wait" });
  const daemon = await factory.daemon();
  const agent = await factory.started(1);
  daemon.kill("SIGKILL");
  await daemon.ended;
  // A living agent is no stale identity, with and without a daemon.
  expect(JSON.parse(await factory.ok("agents", "--stale", "--json"))).toEqual([]);
  process.kill(agent.pid ?? 0, "SIGKILL");
  await factory.until("it is stale", async () => {
    const stale = JSON.parse(await factory.ok("agents", "--stale", "--json")) as AgentView[];
    return stale.length === 1 && stale[0]?.identity === "dev-1";
  });
  const dead = JSON.parse(await factory.ok("agents", "--all", "--json")) as AgentView[];
  expect(dead[0]).toMatchObject({ role: "daemon", status: "crashed", liveness: "red" });
  await factory.daemon();
  const next = await factory.started(2);
  expect(next).toMatchObject({ liveness: "green", predecessor_id: agent.session_id });
  const predecessor = (await factory.agents())[0]?.predecessor_id;
  expect(predecessor).toBe(dead[0]?.session_id);
});

test("AC-1.4: the successor of a killed agent names the session it follows, and both are told apart", async () => {
  await using factory = await sessionFactory(WAITS);
  await factory.addIssue({ title: "Wait" });
  await factory.daemon();
  const first = await factory.started(1);
  process.kill(first.pid ?? 0, "SIGKILL");
  const second = await factory.started(2);
  expect(second).toMatchObject({
    predecessor_id: first.session_id,
    status: "active",
    epoch: 2,
    session_id: `dev-1-2@${factory.project}`,
  });
  expect(second.pid).not.toBe(first.pid);
  const crashed = (await factory.signals()).filter(({ kind }) => kind === "AGENT_CRASHED");
  expect(crashed).toMatchObject([{ detail: { session_id: first.session_id } }]);
});

/** Ten seconds are enough for it where nothing else runs; the tests have company. */
const SEEN_MAX_MS = 60_000;

test("G2: what becomes of each of several agents is seen within a minute on a busy machine", async () => {
  await using factory = await sessionFactory(WAITS);
  for (const title of ["one", "two", "three"]) await factory.addIssue({ title });
  await factory.daemon();
  const [, , third] = await Promise.all(["1", "2", "3"].map((name) => factory.started(1, name)));
  await factory.ok("stop", "1");
  process.kill(third?.pid ?? 0, "SIGKILL");
  const since = performance.now();
  await factory.until("all of it is seen", async () => {
    const [, one, two, three] = await factory.agents();
    return one?.status === "terminated" && two?.status === "active" && three?.epoch === 2;
  });
  expect(performance.now() - since).toBeLessThan(SEEN_MAX_MS);
});

test("what lives without an owner, and whose process is gone, is listed as orphan", async () => {
  await using factory = await sessionFactory(WAITS);
  await factory.addIssue({ title: "Wait" });
  const daemon = await factory.daemon();
  const agent = await factory.started(1);
  const orphans = async (): Promise<string[]> =>
    (JSON.parse(await factory.ok("agents", "--orphan", "--json")) as AgentView[]).map(
      ({ identity, orphan }) => `${identity} ${orphan}`,
    );
  expect(await orphans()).toEqual([]);
  const tmux = (...args: string[]) => spawnSync("tmux", ["-S", factory.socket, ...args]);
  tmux("new-session", "-d", "-s", "left-over", "sleep 600");
  tmux("set-option", "-t", "=left-over:", "@pawl_life", `${factory.project} 99.1 4`);
  const stray = spawn("sleep", ["600"], {
    env: {
      ...process.env,
      PAWL_SPOOL: join(factory.epochDir(7, "98.1"), "spool"),
      PAWL_PROJECT: factory.project,
      PAWL_RUN: "98.1",
      PAWL_EPOCH: "7",
    },
  });
  expect(await orphans()).toEqual(["left-over no-run", "run-98.1 no-run"]);
  stray.kill("SIGKILL");
  tmux("kill-session", "-t", "=left-over");
  daemon.kill("SIGKILL");
  await daemon.ended;
  process.kill(agent.pid ?? 0, "SIGKILL");
  await factory.until("it is an orphan", async () => (await orphans())[0] === "dev-1 process-gone");
});

test("defect 11: ending dev-1 leaves dev-10 alone, whose names begin alike", async () => {
  await using factory = await sessionFactory(WAITS, { parallel: 2 });
  await factory.addIssue({ title: "One" });
  for (let number = 2; number <= 9; number += 1) {
    const issue = { title: `n${number}`, key: `n${number}`, labels: [] };
    await factory.client.post("/v1/issues", issue);
  }
  await factory.addIssue({ title: "Ten" });
  await factory.daemon();
  const one = await factory.started(1, "1");
  const ten = await factory.started(1, "10");
  expect(ten.tmux_session?.startsWith(one.tmux_session ?? "?")).toBe(true);
  await factory.ok("stop", "1");
  await factory.until("dev-1 has ended", async () => !isRunning(one.pid ?? 0));
  expect(isRunning(ten.pid ?? 0)).toBe(true);
  expect(await factory.agent("dev-10")).toMatchObject({ epoch: 1, status: "active" });
});

test("defect 14: two projects from folders of the same name never meet", async () => {
  await using factory = await sessionFactory(WAITS);
  await factory.addIssue({ title: "Mine" });
  const twin = join(factory.root, "elsewhere", "repo");
  mkdirSync(twin, { recursive: true });
  factory.gitIn(factory.root, "clone", "-q", factory.repo, twin);
  factory.gitIn(twin, "remote", "remove", "origin");
  const config = factory.left("repo/pawl.toml").replace(factory.project, `${factory.project}b`);
  writeFileSync(join(twin, "pawl.toml"), config);
  factory.gitIn(twin, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "Rename");
  await factory.client.post("/v1/projects", { folder: twin });
  const body = { title: "Theirs", key: "theirs", body: "" };
  await factory.client.post(`/v1/issues?project=${factory.project}b`, body);
  await factory.daemon();
  const both = await factory.until("both work", async () => {
    const agents = (await factory.agents()).filter(
      ({ role, pid }) => role === "dev" && pid !== null,
    );
    return agents.length === 2 && agents;
  });
  expect(new Set(both.map(({ tmux_session }) => tmux_session)).size).toBe(2);
  expect(new Set(both.map(({ worktree_path }) => worktree_path)).size).toBe(2);
  await factory.ok("stop", "1");
  const mine = both.find(({ project }) => project === factory.project);
  const theirs = both.find(({ project }) => project !== factory.project);
  await factory.until("mine has ended", async () => !isRunning(mine?.pid ?? 0));
  expect(isRunning(theirs?.pid ?? 0)).toBe(true);
});

test("two agents that start in the same instant are two sessions", async () => {
  await using factory = await sessionFactory(WAITS, { parallel: 8 });
  await factory.daemon();
  const titles = ["a", "b", "c", "d", "e", "f"];
  await Promise.all(titles.map((title) => factory.addIssue({ title })));
  const agents = await Promise.all(titles.map((_, at) => factory.started(1, String(at + 1))));
  for (const field of ["pid", "tmux_session", "worktree_path", "session_id"] as const) {
    expect(new Set(agents.map((agent) => agent[field])).size).toBe(titles.length);
  }
});
