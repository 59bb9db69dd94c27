// `pawl project remove`: says what it would remove, refuses while the daemon runs or an agent works,
// keeps work that has not landed, and leaves other projects and the repository as they are.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ASKS, LIMITS, makeFactory, shellAgent, type Factory } from "../support/pawl.ts";

const CONFIG = `${shellAgent()}[ci]\nnone = true\n${LIMITS}`;
const AGENT = `echo half > half.txt; git add -A; git commit -qm half; ${ASKS}`;

/** A second project whose name begins with the first one's. */
async function addOther(factory: Factory): Promise<string> {
  const repo = join(factory.root, "other");
  mkdirSync(repo);
  factory.gitIn(repo, "init", "-q", "-b", "main");
  const name = `${factory.project}-2`;
  const text = factory.config(CONFIG).replace(`"${factory.project}"`, `"${name}"`);
  writeFileSync(join(repo, "pawl.toml"), text);
  factory.gitIn(repo, "add", "-A");
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  factory.gitIn(repo, ...who, "commit", "-qm", "Begin");
  await factory.client.post("/v1/projects", { folder: repo });
  await factory.ok("--project", name, "issue", "add", "--title", "Stays", "--label", "later");
  return name;
}

/** How many rows of the journal name this project, and no other that begins with its name. */
function rowsOf({ home }: Factory, project: string): Record<string, number> {
  const db = new DatabaseSync(join(home, "pawl.db"), { readOnly: true });
  const columns: [string, string][] = [
    ["aggregates", "id"],
    ["history", "id"],
    ["archive", "id"],
    ["backlog", "project"],
    ["events", "aggregate"],
    ["outbox", "key"],
    ["taken_in", "key"],
    ["signals", "signal"],
    ["records", "collection || ' ' || key"],
  ];
  const names = new RegExp(`(^|[^a-z0-9-])${project}($|[^a-z0-9-])`);
  const counted = columns.map(([table, column]) => {
    const rows = db.prepare(`SELECT ${column} AS text FROM ${table}`).all() as { text: string }[];
    const own = rows.filter(({ text }) => names.test(text) && !text.startsWith("usage-days"));
    return [table, own.length] as const;
  });
  db.close();
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

test("a project is removed, its unlanded work is kept, and others stay as they are", async () => {
  await using factory = await makeFactory({ config: CONFIG, files: { "agent.sh": AGENT } });
  const { project } = factory;
  const other = await addOther(factory);
  await factory.addIssue({ title: "Half" });
  const daemon = factory.background("daemon");
  await factory.until("it asks", async () => (await factory.runOf(1)).stage === "escalated");

  const early = await factory.pawl("project", "remove", project);
  expect(early.stderr).toContain("would be refused now: the daemon runs, still at work: dev-1");
  expect(early.stderr).toContain("`pawl down --kill-agents`");
  expect(early.stderr).not.toContain("to remove it");
  const running = await factory.pawl("project", "remove", project, "--yes");
  expect([running.code, running.stderr]).toEqual([1, expect.stringContaining("the daemon runs")]);
  daemon.kill("SIGTERM");
  await daemon.ended;
  const busy = await factory.pawl("project", "remove", project, "--yes");
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining("still at work: dev-1")]);
  await factory.ok("down", "--kill-agents");
  const before = rowsOf(factory, other);
  expect(rowsOf(factory, project)).toMatchObject({ aggregates: expect.any(Number) as number });

  const shown = await factory.pawl("project", "remove", project);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain(`would remove ${factory.home}/projects/${project}\n`);
  expect(shown.stdout).toContain("would lose its issues in Pawl's own tracker (1 open)\n");
  expect(shown.stdout).toContain("(not landed: dev-1)\n");
  expect(existsSync(join(factory.home, "projects", project, "hub.git"))).toBe(true);

  const json = await factory.ok("project", "remove", project, "--yes", "--json");
  const view = JSON.parse(json) as { removed: boolean; unlanded: string[]; kept: string };
  expect(view).toMatchObject({ removed: true, unlanded: ["dev-1"] });
  expect(readdirSync(join(factory.home, "projects"))).toEqual([other]);
  const saved = factory.gitIn(view.kept, "--git-dir", "hub.git", "log", "--all", "--format=%s");
  expect(saved.split("\n")).toContain("half");
  expect(factory.git("log", "-1", "--format=%s")).toBe("Begin");
  expect(rowsOf(factory, project)).toEqual({});
  expect(rowsOf(factory, other)).toEqual(before);

  const again = await factory.pawl("project", "remove", project, "--yes");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("there is no project")]);
  // The same repository starts afresh under the same name.
  expect(await factory.addIssue({ title: "First again" })).toBe(1);
});

test("uninstall names the unlanded work of every project, and the folders that removed projects left", async () => {
  await using factory = await makeFactory({ config: CONFIG, files: { "agent.sh": AGENT } });
  const { project, home } = factory;
  const other = await addOther(factory);
  await factory.addIssue({ title: "Half" });
  const daemon = factory.background("daemon");
  await factory.until("it asks", async () => (await factory.runOf(1)).stage === "escalated");
  await factory.ok("issue", "close", "1");
  await factory.until("it ended", async () => (await factory.runOf(1)).outcome === "closed");
  const early = await factory.pawl("uninstall");
  expect(early.stderr).toContain("would be refused now: the daemon runs");
  expect(early.stderr).toContain("`pawl down --kill-agents`");
  expect(early.stderr).not.toContain("to remove it");
  const waits = await factory.pawl("project", "remove", other);
  expect(waits.stderr).toContain("would be refused now: the daemon runs");
  expect(waits.stderr).toContain("`pawl down`");
  expect(waits.stderr).not.toContain("to remove it");
  daemon.kill("SIGTERM");
  await daemon.ended;

  const work = `work of ${project} that has not landed: dev-1`;
  const planned = await factory.pawl("uninstall");
  expect(planned.stdout).toContain(`would lose ${work}\n`);
  expect(planned.stderr).toContain("`pawl checkpoint restore dev-1 --to FOLDER`");
  const restored = await factory.ok("checkpoint", "restore", "1");
  expect(restored).toContain(`${home}/projects/${project}/restored/`);
  expect(await factory.ok("uninstall")).toContain(
    `would lose what was restored into ${home}/projects/${project}/restored\n`,
  );

  const json = await factory.ok("project", "remove", project, "--yes", "--json");
  const { kept } = JSON.parse(json) as { kept: string };
  const shown = await factory.ok("uninstall");
  expect(shown).toContain(`would lose ${kept}, kept from a project that was removed\n`);
  // As docs/files.md says to get it out.
  const hub = join(kept, "hub.git");
  const refs = factory.gitIn(hub, "for-each-ref", "--format=%(refname)", "refs/pawl/checkpoints");
  expect(refs).toBe("refs/pawl/checkpoints/dev-1");
  factory.git("fetch", "-q", hub, "refs/pawl/checkpoints/dev-1:refs/heads/saved-1");
  expect(factory.git("diff", "--name-only", "main...saved-1")).toBe("half.txt");

  const gone = await factory.ok("uninstall", "--yes");
  expect(gone).toContain(`lost ${kept}, kept from a project that was removed\n`);
  expect(existsSync(home)).toBe(false);
});

const SIDE = "git checkout -qb side; echo x > x; git add x; git commit -qm x; git checkout -q -";

test.each([
  { left: "nothing", script: "", isLost: false },
  { left: "a commit on another branch", script: SIDE, isLost: true },
  { left: "a file that git does not know", script: "echo half > half.txt", isLost: true },
])(
  "uninstall and project remove, of an agent that left $left: named is $isLost",
  async ({ script, isLost }) => {
    const files = { "agent.sh": `${script}\n${ASKS}` };
    await using factory = await makeFactory({ config: CONFIG, files });
    await factory.addIssue({ title: "Ask" });
    await factory.ok("up");
    await factory.until("it asks", async () => (await factory.runOf(1)).stage === "escalated");
    await factory.ok("down", "--kill-agents");
    expect(await factory.ok("checkpoint", "list", "1")).toContain("\t");
    const shown = await factory.ok("uninstall");
    expect(shown.includes("that has not landed: dev-1")).toBe(isLost);
    const remove = ["project", "remove", factory.project];
    const named = isLost ? "(not landed: dev-1)" : "(checkpoints without a changed file)";
    expect(await factory.ok(...remove)).toContain(named);
    const removed = await factory.ok(...remove, "--yes");
    expect(removed).toContain(named);
    // Whatever is named, nothing that was saved is removed.
    const [, kept = ""] = /^kept (\S+\/removed\/\S+) /m.exec(removed) ?? [];
    const refs = ["for-each-ref", "--format=%(refname)", "refs/pawl/checkpoints"];
    expect(factory.gitIn(join(kept, "hub.git"), ...refs)).toBe("refs/pawl/checkpoints/dev-1");
  },
);

test("uninstall names a commit that is younger than the last checkpoint and not checked out", async () => {
  await using factory = await makeFactory({ config: CONFIG, files: { "agent.sh": ASKS } });
  await factory.addIssue({ title: "Ask" });
  await factory.ok("up");
  await factory.until("it asks", async () => (await factory.runOf(1)).stage === "escalated");
  await factory.ok("down", "--kill-agents");
  expect(await factory.ok("uninstall")).not.toContain("that has not landed");
  const workspace = join(factory.home, "projects", factory.project, "workspaces", "dev-1");
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  factory.gitIn(workspace, "checkout", "-qb", "side");
  factory.gitIn(workspace, ...who, "commit", "-q", "--allow-empty", "-m", "Side");
  factory.gitIn(workspace, "checkout", "-q", "-");
  expect(await factory.ok("uninstall")).toContain("that has not landed: dev-1");
});

test("the checkpoints of landed work are named before they are removed", async () => {
  const lands =
    'echo done > done.txt; git add -A; git commit -qm done; sleep 1; echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"; while :; do sleep 1; done';
  await using factory = await makeFactory({ config: CONFIG, files: { "agent.sh": lands } });
  await factory.addIssue({ title: "Lands" });
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  const shown = await factory.ok("project", "remove", factory.project);
  expect(shown).toContain("would lose the checkpoints of landed work (dev-1)");
  expect(await factory.ok("project", "remove", factory.project, "--yes")).toContain(
    "lost the checkpoints of landed work (dev-1)",
  );
});

test("a folder that an interrupted removal left is removed by the same command", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.register();
  const folder = join(factory.home, "projects", "ghost");
  mkdirSync(join(folder, "runs"), { recursive: true });
  expect(await factory.ok("project", "remove", "ghost", "--yes")).toBe(`removed ${folder}`);
  expect(existsSync(folder)).toBe(false);
});

test("a name that is no project's removes nothing, also where a folder could be meant by it", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  await factory.addIssue({ title: "Stays" });
  mkdirSync(join(factory.home, "projects", "-"));
  const { project } = factory;
  for (const name of ["", ".", "..", `../projects/${project}`, `${project}/`, "../..", "-"]) {
    const { code, stderr } = await factory.pawl("project", "remove", "--yes", "--", name);
    expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining("there is no project")]);
  }
  expect(readdirSync(join(factory.home, "projects")).toSorted()).toEqual(["-", project]);
  expect(await factory.ok("issue", "list")).toContain("Stays");
});
