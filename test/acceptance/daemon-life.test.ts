// The daemon comes and goes; agents stay. Ended, killed, interrupted, started twice, left behind.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AgentView } from "../../src/api/agents.ts";
import type { LetterView } from "../../src/api/mail.ts";
import {
  isRunning,
  LIMITS,
  makeFactory,
  shellAgent,
  TEST_GATE,
  writeFiles,
} from "../support/pawl.ts";

/** Works until it is let go: leaves a draft uncommitted, then commits and exits while CI runs. */
const SLOW_MACHINE = `
[ -e draft.txt ] && cp draft.txt "$SEEN/inherited-$PAWL_EPOCH"
echo "by epoch $PAWL_EPOCH" >> draft.txt
: > "$SEEN/started-$PAWL_EPOCH"
until [ -e "$SEEN/go" ]; do sleep 0.05; done
git add -A && git commit -qm "Work" && printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

async function brokenFactory() {
  const factory = await makeFactory({ files: { "agent.sh": SLOW_MACHINE } });
  const agent = shellAgent(`env = { SEEN = "${factory.root}" }\n`);
  factory.commit({ "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}`) }, "Configure");
  const started = (epoch: number): boolean => existsSync(join(factory.root, `started-${epoch}`));
  return { ...factory, started };
}

test("agents outlive the daemon however it ends, and the next one adopts them", async () => {
  await using factory = await brokenFactory();
  await factory.addIssue({ title: "Take your time" });
  const daemonPid = async (): Promise<number | undefined> => (await factory.status()).daemon?.pid;
  const adoptedBy = (pid: number) =>
    factory.until(`daemon ${pid} serves`, async () => (await daemonPid()) === pid);
  await factory.ok("up");
  const agent = await factory.until("the agent works", async () => {
    const run = await factory.runOf(1);
    return factory.started(1) && run.pid !== null && run;
  });
  // The issue at work is not among those that are ready, whatever labels were seen last.
  expect((await factory.status()).projects).toMatchObject([{ backlog: { ready: 0 } }]);
  const same = async (): Promise<void> => {
    const run = await factory.runOf(1);
    expect({ pid: run.pid, epoch: run.epoch }).toEqual({ pid: agent.pid, epoch: 1 });
    expect(isRunning(agent.pid ?? 0)).toBe(true);
  };

  // Killed: its keeper starts another one.
  const first = (await daemonPid()) ?? 0;
  process.kill(first, "SIGKILL");
  const second = await factory.until("the keeper has started another daemon", async () => {
    const pid = await daemonPid();
    return pid !== undefined && pid !== first && pid;
  });
  await same();
  const inbox = JSON.parse(await factory.ok("mail", "inbox", "--json")) as LetterView[];
  expect(inbox).toMatchObject([
    { subject: expect.stringContaining("the daemon died"), from: "daemon" },
  ]);
  await factory.ok("mail", "ack", inbox[0]?.id ?? "");

  // The same as a unit of systemd, only printed: nothing is written or started.
  const unit = await factory.ok("up", "--systemd", "--dry-run");
  expect(unit).toContain("KillMode=process");
  expect(unit).toContain(`PAWL_HOME=${factory.home}`);

  // `pawl down`: the keeper goes as well.
  await factory.ok("down");
  await factory.until("no daemon and no keeper is left", async () =>
    factory.leftovers().every((line) => !/keeper\.sh|main\.ts/.test(line)),
  );
  expect(isRunning(second)).toBe(false);
  await same();

  // Ctrl-C of `pawl run`.
  const foreground = factory.background("run");
  await adoptedBy(foreground.pid);
  foreground.kill("SIGINT");
  expect((await foreground.ended).code).toBe(0);
  expect(foreground.output()).toContain("Pawl stops; 1 agent keeps running: dev-1.");
  expect(foreground.output()).toContain("`pawl run` or `pawl up` adopts it");
  await same();

  // The same of one that was to work until nothing is left: what follows it by && must not begin.
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    const untilIdle = factory.background("run", "--until-idle");
    await adoptedBy(untilIdle.pid);
    untilIdle.kill(signal);
    expect((await untilIdle.ended).code).toBe(code);
  }
  const ends = [
    [["run", "--until-idle"], 1, "`pawl down` ended Pawl before its work was done; 1 agent"],
    [["run"], 0, "`pawl down` ended Pawl; 1 agent keeps running: dev-1."],
  ] as const;
  for (const [command, code, said] of ends) {
    const downed = factory.background(...command);
    await adoptedBy(downed.pid);
    const second = await factory.pawl("run");
    const there = `a \`pawl run\` in another terminal (pid ${downed.pid}) already works`;
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining(there)]);
    await factory.ok("down");
    expect((await downed.ended).code).toBe(code);
    expect(downed.output()).toContain(said);
  }
  await same();

  // What would be started is shown by another command: this one starts nothing.
  const dry = await factory.pawl("up", "--dry-run");
  expect([dry.code, dry.stderr]).toEqual([2, expect.stringContaining("pawl run --dry-run")]);

  // SIGTERM of a bare daemon, as systemd sends it.
  const bare = factory.background("daemon");
  await adoptedBy(bare.pid);
  bare.kill("SIGTERM");
  expect((await bare.ended).code).toBe(0);
  await same();

  // Wanted: the work is saved, the agent ended, and `retry` goes on in the same workspace.
  await factory.ok("up");
  await factory.ok("down", "--kill-agents");
  expect(isRunning(agent.pid ?? 0)).toBe(false);
  const hub = join(factory.home, "projects", factory.project, "hub.git");
  expect(factory.gitIn(hub, "show", "refs/pawl/checkpoints/dev-1:draft.txt")).toBe("by epoch 1");
  await factory.ok("up");
  expect((await factory.runOf(1)).needs_you).toContain("stopped");
  await factory.ok("retry", "1");
  await factory.until("the next life works", async () => factory.started(2));
  expect(factory.read("inherited-2")).toBe("by epoch 1\n");
  writeFileSync(join(factory.root, "go"), "");
  await factory.until("the work lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect(factory.git("show", "main:draft.txt")).toBe("by epoch 1\nby epoch 2");
});

test("a second daemon refuses and names the first; leftovers of a dead one stop no command", async () => {
  await using factory = await brokenFactory();
  await factory.addIssue({ title: "Take your time" });
  const first = factory.background("daemon");
  await factory.until("it serves", async () => (await factory.status()).daemon?.pid === first.pid);
  const second = await factory.pawl("daemon");
  expect(second.code).not.toBe(0);
  expect(second.stderr).toContain(`pid ${first.pid}`);
  const run = await factory.pawl("run");
  expect(run.code).not.toBe(0);
  expect(run.stderr).toContain("watch it with `pawl top`");
  expect((await factory.pawl("up")).stderr).toContain(`pid ${first.pid}`);
  await factory.until("the agent works", async () => factory.started(1));

  // Socket, lock, holder and heartbeat of a daemon that was killed are all still there.
  first.kill("SIGKILL");
  await first.ended;
  expect(existsSync(join(factory.home, "lock.db.holder.json"))).toBe(true);
  expect(existsSync(join(factory.home, "heartbeat"))).toBe(true);
  writeFileSync(join(factory.home, "daemon.pid"), "1\n");
  writeFileSync(join(factory.root, "go"), "");
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  expect(factory.subjects()).toContain("Work");
});

test("`down --kill-agents` ends agents also where no daemon runs any more", async () => {
  await using factory = await brokenFactory();
  await factory.addIssue({ title: "Take your time" });
  const daemon = factory.background("daemon");
  const agent = await factory.until("the agent works", async () => {
    const run = await factory.runOf(1);
    return factory.started(1) && run.pid !== null && run;
  });
  daemon.kill("SIGKILL");
  await daemon.ended;
  await factory.ok("down", "--kill-agents");
  expect(isRunning(agent.pid ?? 0)).toBe(false);
  expect((await factory.runOf(1)).alive).toBe(false);
  await factory.nothingLeft();
});

test("an agent that the daemon was still starting is neither said to run nor shown as alive", async () => {
  await using factory = await brokenFactory();
  const [bin, asked] = [join(factory.root, "bin"), join(factory.root, "asked")];
  writeFiles(bin, {
    tmux: `#!/bin/sh\ncase "$*" in *new-session*) : > ${asked}; exec sleep 600 ;; esac\nexit 1\n`,
  });
  chmodSync(join(bin, "tmux"), 0o755);
  factory.env["PATH"] = `${bin}:${factory.env["PATH"]}`;
  await factory.addIssue({ title: "Take your time" });
  const daemon = factory.background("daemon");
  await factory.until("tmux is to start the agent", async () => existsSync(asked));
  const { stderr } = await factory.pawl("down");
  expect(stderr).toContain("no agent was running; #1 starts with the next `pawl up`\n");
  await daemon.ended;
  expect(await factory.runOf(1)).toMatchObject({ doing: "starting the agent", alive: false });
  expect(await factory.ok("status")).toMatch(/^run\t.*\tnone\t.*\tstarting the agent$/m);
  const agents = JSON.parse(await factory.ok("agents", "--json")) as AgentView[];
  expect(agents).toMatchObject([{ identity: "dev-1", status: "starting", pid: null }]);
});

test("Ctrl-C of a `pawl run` that was still starting an agent names it, and does not say that it runs", async () => {
  await using factory = await brokenFactory();
  const [bin, asked] = [join(factory.root, "bin"), join(factory.root, "asked")];
  writeFiles(bin, {
    tmux: `#!/bin/sh\ncase "$*" in -V) echo tmux 3.4; exit ;; *new-session*) : > ${asked}; exec sleep 600 ;; esac\nexit 1\n`,
  });
  chmodSync(join(bin, "tmux"), 0o755);
  factory.env["PATH"] = `${bin}:${factory.env["PATH"]}`;
  await factory.addIssue({ title: "Take your time" });
  const foreground = factory.background("run");
  await factory.until("tmux is to start the agent", async () => existsSync(asked));
  foreground.kill("SIGINT");
  expect((await foreground.ended).code).toBe(0);
  expect(foreground.output()).toContain(
    "Pawl stops; no agent is running; #1 starts with the next `pawl run`.\n",
  );
});

test("commands of one factory wait for each other where no daemon runs", async () => {
  await using factory = await brokenFactory();
  const titles = ["one", "two", "three", "four"];
  await Promise.all(titles.map((title) => factory.ok("issue", "add", "--title", title)));
  const issues = await factory.client.get<{ title: string }[]>("/v1/issues");
  expect(issues.map((issue) => issue.title).toSorted()).toEqual(titles.toSorted());
});

test("reading needs no daemon, and only reads the journal", async () => {
  await using factory = await brokenFactory();
  await factory.addIssue({ title: "Take your time" });
  const [bin, asked] = [join(factory.root, "bin"), join(factory.root, "asked")];
  writeFiles(bin, { tmux: `#!/bin/sh\necho "$@" >> ${asked}\n` });
  chmodSync(join(bin, "tmux"), 0o755);
  factory.env["PATH"] = `${bin}:${factory.env["PATH"]}`;
  expect(await factory.ok("issue", "list")).toContain("Take your time");
  expect(await factory.ok("status")).toContain(factory.project);
  expect(await factory.ok("agents", "--json")).toBe("[]");
  expect(existsSync(asked)).toBe(false);
});

test("`up` right after `down` starts a daemon, and the keeper of the one before starts no other", async () => {
  await using factory = await brokenFactory();
  await factory.ok("up");
  const { daemon } = await factory.status();
  const keeper = parentOf(daemon?.pid ?? 0);
  // It looks at what became of its daemon only after `up` has removed the mark of `down`.
  process.kill(keeper, "SIGSTOP");
  await factory.ok("down");
  await factory.ok("up");
  process.kill(keeper, "SIGCONT");
  await factory.until("the first keeper has ended", async () => !isRunning(keeper));
  expect((await factory.status()).daemon).not.toBeNull();
  expect(factory.read("home", "daemon.log")).not.toContain("the daemon died");
  await factory.ok("down");
  expect((await factory.status()).daemon).toBeNull();
});

const parentOf = (pid: number): number =>
  Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
