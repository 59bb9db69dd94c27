// Checks that the two dozen faults of doctor.test.ts cannot show, each with its own fault: a
// problem that only a person can fix is reported with what to do, and every other one is fixed.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { ChannelView } from "../../src/api/notify.ts";
import type { DoctorView } from "../../src/api/doctor.ts";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { giveEntryTo } from "../support/orphans.ts";
import { makeFactory, SCRIPT_AGENT, writeFiles, type Factory } from "../support/pawl.ts";
import { openPty } from "../support/pty.ts";
import { sessionFactory } from "../support/sessions.ts";

/** Stands where Claude Code would, and none of its hooks ever reports. */
const MUTE = '[agent]\nruntime = "claude"\ncommand = ["sh", "agent.sh"]\n';
const BROKEN_CHANNEL = '[[notify]]\nname = "broken"\nkind = "command"\ncommand = ["false"]\n';
const UNSET_CHANNEL = '[[notify]]\nkind = "slack"\nurl_env = "NOBODY_SET_THIS"\n';
const HOUR_MS = 3_600_000;

/** Says an old version, and is the real one otherwise. */
const old = (program: string, version: string): string =>
  `#!/bin/sh\ncase $1 in -V|--version) echo "${version}" ;; *) PATH=\${PATH#*:} exec ${program} "$@" ;; esac\n`;

type Fault = { check: string; text: string; hasFix: boolean; plant: () => unknown };

function faultsOf(factory: Factory, other: Factory): Fault[] {
  const { home, project } = factory;
  const journal = (sql: string, ...values: string[]): void => {
    using db = new DatabaseSync(join(home, "pawl.db"));
    db.prepare(sql).run(...values);
  };
  const setInProject = (name: string, path: string, value: string): void =>
    journal(
      "UPDATE aggregates SET state = json_set(state, ?, ?) WHERE id = ?",
      path,
      value,
      `project:${name}`,
    );
  const bin = join(factory.root, "bin");
  const pretend = (program: string, version: string) => (): void => {
    writeFiles(bin, { [program]: old(program, version) });
    chmodSync(join(bin, program), 0o755);
    factory.env["PATH"] = `${bin}:${(factory.env["PATH"] ?? "").replace(`${bin}:`, "")}`;
  };
  const report = (check: string, text: string, plant: () => unknown): Fault => {
    return { check, text, plant, hasFix: false };
  };
  const fix = (check: string, text: string, plant: () => unknown): Fault => {
    return { check, text, plant, hasFix: true };
  };
  return [
    report("channels", "channel broken of", () => undefined),
    report("configuration", "NOBODY_SET_THIS", () => undefined),
    report("agents", '"/nowhere/agent" is not found', () => undefined),
    fix("queue", "waits for run 99.1, which has ended", () => giveEntryTo(factory, "99.1")),
    report("journal", "has failed 6 times", () => journal("UPDATE outbox SET attempts = 6")),
    report("configuration", "still uses the last valid version: line 3", () =>
      setInProject(project, "$.configProblem", "line 3 is wrong"),
    ),
    report("configuration", "/nowhere/repo is gone", () =>
      setInProject(other.project, "$.root", "/nowhere/repo"),
    ),
    fix("hub", "is missing or damaged", () =>
      rmSync(join(home, "projects", project, "hub.git"), { recursive: true }),
    ),
    report("forge", `project ${project}: `, () => (factory.env["FORGE_TOKEN"] = "wrong")),
    report("tools", "tmux 2.1 is too old", pretend("tmux", "tmux 2.1")),
    report("tools", "git version 2.30.0 is too old", pretend("git", "git version 2.30.0")),
    fix("backups", "72 h old", () => {
      const then = new Date(Date.now() - 72 * HOUR_MS);
      for (const name of readdirSync(join(home, "backups")))
        utimesSync(join(home, "backups", name), then, then);
    }),
    report("machine", "s ahead of the clock", () => {
      const then = new Date(Date.now() + HOUR_MS);
      utimesSync(join(home, "pawl.db"), then, then);
    }),
    // Two minutes later it has reported nothing.
    report("signals", "no signal: dev-1", () => {
      writeFiles(factory.root, {
        "later.mjs": "const n = Date.now;\nDate.now = () => n() + 12e4;",
      });
      factory.env["NODE_OPTIONS"] = `--import=${join(factory.root, "later.mjs")}`;
    }),
  ];
}

const examined = async (factory: Factory, ...args: string[]) => {
  const { code, stdout } = await factory.pawl("doctor", "--json", ...args);
  const { checks } = JSON.parse(stdout) as DoctorView;
  return {
    code,
    all: checks.flatMap(({ id, troubles }) => troubles.map((one) => ({ id, ...one }))),
  };
};

test("every other check finds its fault, says what a person can do, and fixes what can be fixed", async () => {
  await using factory = await makeForgeFactory({
    agent: MUTE,
    files: { "agent.sh": "exec sleep 1000\n", "tests/a.sh": "true\n" },
    more: BROKEN_CHANNEL,
  });
  const { home } = factory;
  const missing = SCRIPT_AGENT.replace("script", "command") + 'command = ["/nowhere/agent"]\n';
  const env = { XDG_RUNTIME_DIR: factory.env["XDG_RUNTIME_DIR"] ?? "" };
  const config = `${missing}[ci]\nnone = true\n${UNSET_CHANNEL}`;
  await using other = await makeFactory({ home, env, config });
  await factory.fileIssue("Say nothing", "please");
  const daemon = factory.background("daemon");
  await factory.until("it serves", async () => (await factory.status()).daemon !== null);
  for (const one of [factory, other]) await one.register();
  await factory.ok("mail", "send", "operator", "--subject", "News", "--priority", "urgent");
  await factory.until("the agent lives, and news failed to reach a channel", async () => {
    const channels = await factory.client.get<ChannelView[]>("/v1/notify");
    return (
      (await factory.runOf(1)).pid !== null && channels.some(({ trouble }) => trouble !== null)
    );
  });
  await factory.until("it is backed up", async () =>
    readdirSync(join(home, "backups")).some((name) => /^pawl-\d+\.db$/.test(name)),
  );
  daemon.kill("SIGKILL");
  await daemon.ended;
  // An entry without a run, and an effect that waits for a daemon.
  factory.git("branch", "own");
  factory.git("push", "-q", "origin", "own");
  await factory.ok("merge-queue", "add", "own");
  await factory.ok("gate", "create", "--type", "issue", "--await-id", "99");

  const faults = faultsOf(factory, other);
  for (const { plant } of faults) await plant();
  const found = await examined(factory);
  expect(found.code).toBe(1);
  const missed = faults.filter(
    ({ check, text, hasFix }) =>
      !found.all.some(
        ({ id, what, fix, hint }) =>
          id === check &&
          what.includes(text) &&
          (fix !== null) === hasFix &&
          (hasFix || hint !== null),
      ),
  );
  expect(
    missed.map(({ check, text }) => `${check}: ${text}`),
    JSON.stringify(found.all),
  ).toEqual([]);

  const fixed = await examined(factory, "--fix");
  const left = faults.filter(
    ({ check, text, hasFix }) =>
      hasFix &&
      !fixed.all.some((one) => one.id === check && one.what.includes(text) && one.fixed === true),
  );
  expect(
    left.map(({ check, text }) => `${check}: ${text}`),
    JSON.stringify(fixed.all),
  ).toEqual([]);
  const after = (await examined(factory)).all.map(({ id, what }) => `${id}: ${what}`);
  const back = faults.filter(
    ({ hasFix, text }) => hasFix && after.some((line) => line.includes(text)),
  );
  expect(
    back.map(({ text }) => text),
    after.join("\n"),
  ).toEqual([]);
});

/** Stands where Claude Code is, and has no login. */
const SIGNED_OUT = `#!/bin/sh
case $1 in auth) echo '{ "loggedIn": false }'; exit 1 ;; *) echo "2.1.325 (Claude Code)" ;; esac
`;

test("the agent that is committed is examined, with a daemon and without one, before a run used it", async () => {
  await using factory = await makeFactory({ config: `${SCRIPT_AGENT}[ci]\nnone = true\n` });
  const bin = join(factory.root, "bin");
  writeFiles(bin, { claude: SIGNED_OUT });
  chmodSync(join(bin, "claude"), 0o755);
  factory.env["PATH"] = `${bin}:${factory.env["PATH"] ?? ""}`;
  await factory.register();
  const agents = async () => (await examined(factory)).all.filter(({ id }) => id === "agents");
  expect(await agents()).toEqual([]);
  // No daemon has read this commit.
  const claude = factory.config('[agent]\nruntime = "claude"\n[ci]\nnone = true\n');
  factory.commit({ "pawl.toml": claude }, "Use Claude Code");
  const found = [{ what: expect.stringContaining("Claude Code is not signed in") }];
  expect(await agents()).toMatchObject(found);
  expect((await examined(factory)).code).toBe(1);
  await factory.ok("up");
  expect(await agents()).toMatchObject(found);
});

test.each(["init", "run", "up"])(
  "`pawl %s` on a terminal warns of an agent that is not signed in, with what signs it in",
  async (command) => {
    await using factory = await makeFactory({
      config: '[agent]\nruntime = "claude"\n[ci]\nnone = true\n',
    });
    const bin = join(factory.root, "bin");
    writeFiles(bin, { claude: SIGNED_OUT });
    chmodSync(join(bin, "claude"), 0o755);
    factory.env["PATH"] = `${bin}:${factory.env["PATH"] ?? ""}`;
    await factory.register();
    using pty = openPty(factory, { columns: 80, rows: 24 }, [command]);
    const lines = (): string[] => pty.screen().map((line) => line.trim());
    await factory.until("the warning", async () =>
      lines().includes("hint: run `claude auth login`, or set ANTHROPIC_API_KEY for the daemon"),
    );
    expect(lines().join(" ")).toContain(
      "warning: Claude Code is not signed in: its agents would stop at the login screen hint: run",
    );
  },
);

test("a session on Pawl's own tmux server that belongs to no run is reported, and is not ended", async () => {
  await using factory = await sessionFactory("await never");
  await factory.addIssue({ title: "Wait" });
  await factory.daemon();
  await factory.started(1);
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-S", factory.socket, ...args], { encoding: "utf8" });
  tmux("new-session", "-d", "-s", "by-hand", "sleep 600");
  const { code, stdout } = await factory.pawl("doctor", "--fix");
  expect(code).toBe(1);
  expect(stdout).toContain("tmux session by-hand on Pawl's own server");
  expect(stdout).toContain("kill-session -t '=by-hand'");
  expect(tmux("list-sessions", "-F", "#{session_name}")).toContain("by-hand");
});

test("a remote that takes no branches is found before an agent has worked for it", async () => {
  const news = '[[notify]]\nkind = "command"\ncommand = ["sh", "-c", "cat >> $HOME/news"]\n';
  const config = `${SCRIPT_AGENT}[ci]\nnone = true\n${news}`;
  await using factory = await makeFactory({ config });
  const remote = join(factory.root, "remote.git");
  factory.git("init", "-q", "--bare", "-b", "main", remote);
  factory.git("remote", "add", "origin", remote);
  factory.git("push", "-q", "origin", "main");
  await factory.ok("run", "--until-idle");
  const before = factory.gitIn(remote, "for-each-ref");
  expect((await examined(factory)).all.filter(({ id }) => id === "push")).toEqual([]);
  expect(factory.gitIn(remote, "for-each-ref")).toBe(before);
  const sent = await factory.pawl("doctor", "--notify");
  expect(sent.stdout).toContain(`messages\tnote\t${factory.project}: sent through command`);
  expect(factory.read("user", "news")).toContain("a test message from Pawl");

  const fault: Fault = {
    check: "push",
    text: "cannot push pawl/doctor-push-check",
    hasFix: false,
    plant: () => renameSync(remote, `${remote}.gone`),
  };
  fault.plant();
  const found = (await examined(factory)).all.find(({ id }) => id === fault.check);
  expect(found?.what).toContain(fault.text);
  expect(found?.hint).toContain(`git -C ${factory.repo} push --dry-run origin`);
});
