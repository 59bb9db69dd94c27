// The doctor finds problems, says what it would do, fixes them, and calls a factory without
// problems "healthy": with a daemon and without one.
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { DoctorView } from "../../src/api/doctor.ts";
import { runtimeFolder } from "../../src/config/home.ts";
import { isRunning } from "../support/pawl.ts";
import { sessionFactory } from "../support/sessions.ts";

/** Issue 2 lands, issue 4 gives up, the others work until they are told to end. */
const AGENT = `
case $ISSUE in
  2) echo two > two.txt && git add two.txt && git commit -qm "Two" && phase awaiting_ci; sleep 60 ;;
  4) phase failed; sleep 60 ;;
  *) await finish ;;
esac
`;

type Factory = Awaited<ReturnType<typeof sessionFactory>>;

const examined = async (factory: Factory, ...args: string[]) => {
  const { code, stdout, stderr } = await factory.pawl("doctor", "--json", ...args);
  const view = JSON.parse(stdout || "{}") as DoctorView;
  const all = (view.checks ?? []).flatMap(({ id, troubles }) =>
    troubles.map((trouble) => ({ id, ...trouble })),
  );
  return { code, stderr, ...view, all };
};

const OLD = new Date(Date.now() - 2 * 60 * 60_000);

function old(path: string, content?: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (content !== undefined) writeFileSync(path, content);
  utimesSync(path, OLD, OLD);
}

/** One entry per fault: how it comes about, which check finds it, and what must be so afterwards. */
type Fault = {
  check: string;
  text: string;
  plant: () => unknown;
  afterwards: () => unknown;
};

function faultsOf(
  factory: Factory,
  facts: { agentPid: number; orphanPid: number; runtime: string },
): Fault[] {
  const { home, project, projectDir } = factory;
  const hub = join(projectDir, "hub.git");
  const workspaces = join(projectDir, "workspaces");
  const link = (issue: number): string => `/tmp/dev-session-${project}-${issue}.phase`;
  const gone = (path: string) => () =>
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
  const isPrivate = (path: string) => () => expect(lstatSync(path).mode & 0o077).toBe(0);
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-S", factory.socket, ...args], { encoding: "utf8" });
  const leave = (check: string, path: string) => ({
    check,
    text: path,
    plant: () => old(path, "left"),
    afterwards: gone(path),
  });
  const labels = async (issue: string): Promise<string> =>
    (
      JSON.parse(await factory.ok("issue", "show", issue, "--json")) as { labels: string[] }
    ).labels.join();
  return [
    {
      check: "orphan-sessions",
      text: "tmux session dev-stray-9",
      plant: () => {
        tmux("new-session", "-d", "-s", "dev-stray-9", "sleep 600");
        tmux("set-option", "-t", "dev-stray-9", "@pawl_life", `${project} 9.1 1`);
      },
      afterwards: () =>
        expect(tmux("list-sessions", "-F", "#{session_name}")).not.toContain("stray"),
    },
    {
      check: "orphan-processes",
      text: `process ${facts.orphanPid}`,
      plant: () => undefined,
      afterwards: () => expect(isRunning(facts.orphanPid)).toBe(false),
    },
    {
      check: "sessions",
      text: `its process ${facts.agentPid} no longer exists`,
      plant: () => process.kill(facts.agentPid, "SIGKILL"),
      afterwards: async () => expect((await factory.agent("dev-1")).status).not.toBe("active"),
    },
    {
      check: "workspaces",
      text: "dev-77 belongs to no run",
      plant: () => {
        cpSync(join(workspaces, "dev-3"), join(workspaces, "dev-77"), { recursive: true });
        writeFileSync(join(workspaces, "dev-77", "unsaved.txt"), "precious\n");
      },
      afterwards: () => {
        expect(existsSync(join(workspaces, "dev-77"))).toBe(false);
        const saved = ["--git-dir", hub, "show", "refs/pawl/checkpoints/dev-77:unsaved.txt"];
        expect(factory.git(...saved)).toBe("precious");
      },
    },
    leave("workspaces", join(workspaces, "dev-3", ".git", "index.lock")),
    leave("hub", join(hub, "packed-refs.lock")),
    {
      check: "hub",
      text: "refs/heads/pawl/99-cut",
      plant: () => old(join(hub, "refs/heads/pawl/99-cut"), ""),
      afterwards: () => expect(readdirSync(join(hub, "pawl", "broken-refs"))).toHaveLength(1),
    },
    {
      check: "candidates",
      text: "the build 999",
      plant: () => old(join(hub, "refs/pawl/queue/999"), `${factory.git("rev-parse", "main")}\n`),
      afterwards: gone(join(hub, "refs/pawl/queue/999")),
    },
    {
      check: "phase-links",
      text: `${link(77)} points to`,
      plant: () => symlinkSync(join(projectDir, "runs/77.1/1/phase"), link(77)),
      afterwards: gone(link(77)),
    },
    {
      check: "phase-links",
      text: `${link(3)} of the running dev-3 is missing`,
      plant: () => rmSync(link(3)),
      afterwards: () => expect(lstatSync(link(3)).isSymbolicLink()).toBe(true),
    },
    leave("leftovers", join(workspaces, "dev-8.removing")),
    leave("leftovers", join(hub, "pawl", "quarantine-abc")),
    leave("leftovers", join(home, "pawl.db.partial")),
    leave("leftovers", join(projectDir, "runs/2.1/1/spool/tmp/half")),
    {
      check: "labels",
      text: "#4 of",
      plant: () => factory.ok("issue", "edit", "4", "--add-label", "in-progress"),
      afterwards: async () => expect(await labels("4")).not.toContain("in-progress"),
    },
    {
      check: "labels",
      text: "#3 of",
      plant: () => factory.ok("issue", "edit", "3", "--remove-label", "in-progress"),
      afterwards: async () => expect(await labels("3")).toContain("in-progress"),
    },
    {
      check: "copies",
      text: "identities/dev-3.json",
      plant: () => rmSync(join(projectDir, "state/identities/dev-3.json")),
      afterwards: () => expect(factory.identityFile("dev-3").epoch).toBe(1),
    },
    {
      check: "copies",
      text: "hooks/dev-3.json",
      plant: () => writeFileSync(join(projectDir, "state/hooks/dev-3.json"), "{ half"),
      afterwards: () => expect(factory.hookFile("dev-3")).toBeTypeOf("object"),
    },
    {
      check: "permissions",
      text: "pawl.db is accessible to other users (mode 644)",
      plant: () => chmodSync(join(home, "pawl.db"), 0o644),
      afterwards: isPrivate(join(home, "pawl.db")),
    },
    {
      check: "permissions",
      text: ".env is accessible to other users",
      plant: () => writeFileSync(join(home, ".env"), "TOKEN=x\n", { mode: 0o640 }),
      afterwards: isPrivate(join(home, ".env")),
    },
    {
      check: "daemon",
      text: "daemon.sock was left behind",
      plant: () => old(join(facts.runtime, "daemon.sock")),
      afterwards: gone(join(facts.runtime, "daemon.sock")),
    },
    {
      check: "daemon",
      text: "heartbeat was left behind",
      plant: () => old(join(home, "heartbeat")),
      afterwards: gone(join(home, "heartbeat")),
    },
    {
      check: "backups",
      text: "is damaged",
      plant: () => {
        const newest = readdirSync(join(home, "backups")).toSorted().at(-1) ?? "";
        writeFileSync(join(home, "backups", newest), "no database at all\n".repeat(500));
      },
      afterwards: () => expect(readdirSync(join(home, "backups"))).toHaveLength(1),
    },
    {
      check: "logs",
      text: "runs/2.1/pane.log has 30 MB",
      plant: () => truncateSync(join(projectDir, "runs/2.1/pane.log"), 30_000_000),
      afterwards: () =>
        expect(lstatSync(join(projectDir, "runs/2.1/pane.log")).size).toBe(5_000_000),
    },
  ];
}

test("it calls a working factory healthy, and finds and fixes every one of two dozen faults", async () => {
  await using factory = await sessionFactory(AGENT, { parallel: 4 });
  for (const title of ["One", "Two", "Three", "Four"])
    await factory.ok("issue", "add", "--title", title);
  const daemon = await factory.daemon();
  await factory.started(1, "3");
  const { pid: agentPid } = await factory.started(1, "1");
  await factory.until("the others are done", async () => {
    const { runs } = await factory.status();
    const outcomes = runs.map(({ issue, outcome, stage }) => `${issue} ${outcome} ${stage}`);
    return outcomes.includes("2 landed ended") && outcomes.includes("4 blocked ended");
  });
  await factory.until("it is backed up", async () =>
    readdirSync(join(factory.home, "backups")).some((name) => /^pawl-\d+\.db$/.test(name)),
  );

  const served = await examined(factory, "-v");
  expect(served.all).toEqual([]);
  expect(served).toMatchObject({ code: 0, healthy: true });
  const spoken = await factory.ok("doctor", "-v");
  expect(spoken).toMatch(/^tools\tok/m);
  expect(spoken).toMatch(/^doctor\thealthy\t/m);

  // It dies as it would by a kill: its socket and its heartbeat stay behind.
  daemon.kill("SIGKILL");
  await daemon.ended;
  const orphan = spawn("sleep", ["600"], {
    detached: true,
    stdio: "ignore",
    env: {
      ...factory.env,
      PAWL_SPOOL: join(factory.projectDir, "runs/8.1/1/spool"),
      PAWL_PHASE_FILE: join(factory.projectDir, "runs/8.1/1/phase"),
      PAWL_PROJECT: factory.project,
      PAWL_RUN: "8.1",
      PAWL_EPOCH: "1",
    },
  });
  const runtime = runtimeFolder(factory.env, factory.home);
  const faults = faultsOf(factory, {
    agentPid: agentPid ?? 0,
    orphanPid: orphan.pid ?? 0,
    runtime,
  });
  expect(faults.length).toBeGreaterThanOrEqual(20);
  for (const { plant } of faults) await plant();

  const found = await examined(factory, "--fix", "--dry-run");
  expect(found.code).toBe(1);
  expect(found.took_ms, "on a busy machine").toBeLessThan(60_000);
  const missed = faults.filter(
    ({ check, text }) =>
      !found.all.some(({ id, what, fix }) => id === check && what.includes(text) && fix !== null),
  );
  expect(missed.map(({ check, text }) => `${check}: ${text}`)).toEqual([]);
  expect(found.all, "and nothing else").toHaveLength(faults.length);
  expect((await examined(factory)).all, "a look changes nothing").toHaveLength(faults.length);

  const fixed = await examined(factory, "--fix");
  expect(fixed.all.filter((one) => one.fixed !== true)).toEqual([]);
  expect(fixed).toMatchObject({ code: 0, healthy: true });
  for (const { afterwards } of faults) await afterwards();
  const after = await examined(factory);
  expect(after.all).toEqual([]);
  factory.allow("finish");
});

test("a damaged journal is found by a command that cannot open it, and the backup takes its place", async () => {
  await using factory = await sessionFactory("await finish");
  await factory.ok("issue", "add", "--title", "Survive");
  expect((await factory.pawl("doctor")).code).toBe(0);
  const journal = join(factory.home, "pawl.db");
  mkdirSync(join(factory.home, "backups"), { recursive: true });
  cpSync(journal, join(factory.home, "backups", `pawl-${Date.now()}.db`));
  writeFileSync(join(factory.home, "backups", `pawl-${Date.now() + 5}.db`), "cut short");
  writeFileSync(journal, "this was a journal".repeat(1000));
  const found = await factory.pawl("doctor");
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(
    /^journal\ttrouble\t.*file is not a database.*put .*pawl-\d+\.db in its place/m,
  );
  expect(readFileSync(journal, "utf8")).toContain("this was a journal");

  const fixed = await factory.pawl("doctor", "--fix");
  expect(fixed.stdout).toMatch(/^journal\tfixed\t/m);
  expect(await factory.ok("issue", "list")).toContain("Survive");
  expect(readdirSync(factory.home).some((name) => name.includes("damaged-"))).toBe(true);
});
