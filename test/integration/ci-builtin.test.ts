import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createBuiltinCi,
  type BuiltinCiOptions,
} from "../../src/adapters/ci-builtin/builtin-ci.ts";
import { markedProcesses } from "../../src/adapters/shared/leftovers.ts";
import type { RememberedCheck } from "../../src/adapters/ci-builtin/memory.ts";
import { createGit } from "../../src/adapters/git-cli/git.ts";
import type { CiGate } from "../../src/core/check.ts";
import { commitId, treeId } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import type { CheckRequest } from "../../src/ports/ci.ts";
import type { Git } from "../../src/ports/git.ts";

const HOUR_MS = 3_600_000;
let root = "";
let records: Map<string, RememberedCheck>;
let clock = 0;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-ci-"));
  records = new Map();
  clock = 1_800_000_000_000;
  await mkdir(join(root, "source"));
  await writeFile(join(root, "source", "file.txt"), "content\n");
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** A real checkout of a folder, with the part of git's contract that a check depends on. */
const checkout: Git["checkout"] = async ({ commit, path, keep }) => {
  await mkdir(path, { recursive: true });
  for (const name of await readdir(path)) {
    if (!keep.includes(name)) await rm(join(path, name), { recursive: true, force: true });
  }
  await cp(join(root, "source"), path, { recursive: true });
  return { tree: treeId(commit.replace("commit", "tree")) };
};

function createCi(options: Partial<BuiltinCiOptions> = {}) {
  return createBuiltinCi({
    dir: join(root, "ci"),
    git: { checkout },
    records: {
      get: async (key) => records.get(key),
      put: async (key, value) => {
        records.set(key, value);
      },
    },
    environment: { PATH: process.env["PATH"] ?? "", COUNTER: join(root, "counter"), ROOT: root },
    slots: 1,
    now: () => clock,
    crash: noCrash,
    graceMs: 200,
    ...options,
  });
}

function gate(command: string, more: Partial<CiGate> = {}): CiGate {
  return { name: "test", command, timeoutMs: 60_000, ...more };
}

function request(command: string, more: Partial<CheckRequest> = {}): CheckRequest {
  return {
    key: "run/toy/42.1/ci",
    commit: commitId("commit-1"),
    tree: treeId("tree-1"),
    gates: [gate(command)],
    setup: undefined,
    keep: [],
    history: false,
    tries: 2,
    signal: new AbortController().signal,
    ...more,
  };
}

/** A pipe with a name: reading it is the event that a command wrote to it. */
async function makeFifo(name: string): Promise<string> {
  const path = join(root, name);
  await promisify(execFile)("mkfifo", [path]);
  return path;
}

const attempts = async (): Promise<number> =>
  (await readFile(join(root, "counter"), "utf8")).split("\n").length - 1;

/** Ended and not yet collected by init counts as ended. */
const isAlive = (pid: number): boolean => {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, "utf8"));
};

test("a gate that exits 0 in a clean checkout is green, with its output in a log", async () => {
  const outcome = await createCi().check(request("cat file.txt; echo problem >&2; ls"));
  expect(outcome).toMatchObject({
    kind: "passed",
    tree: "tree-1",
    remembered: false,
    flaky: false,
    results: [{ gate: "test", passed: true, exitCode: 0, signal: null, timedOut: false }],
  });
  if (outcome.kind !== "passed") return;
  expect(outcome.results[0]?.logTail).toBe("content\nproblem\nfile.txt");
  expect(await readFile(outcome.results[0]!.logFile, "utf8")).toBe("content\nproblem\nfile.txt\n");
});

test("a gate sees the allowed environment and nothing else", async () => {
  process.env["PAWL_TEST_SECRET"] = "secret";
  const outcome = await createCi().check(request('env; test -d "$TMPDIR"; cat'));
  delete process.env["PAWL_TEST_SECRET"];
  const names = outcome.kind === "passed" ? outcome.results[0]!.logTail.match(/^\w+(?==)/gm) : [];
  const added = new Set(["OLDPWD", "SHLVL", "_"]); // by some shells themselves
  expect(
    (names ?? [])
      .filter((name) => !added.has(name))
      .toSorted()
      .join(" "),
  ).toBe(
    "CI COUNTER GIT_CEILING_DIRECTORIES GIT_TERMINAL_PROMPT HOME LANG PATH PAWL_CHECK PWD ROOT TMPDIR",
  );
});

test("gates run in order, up to the first red one", async () => {
  const outcome = await createCi().check(
    request("", {
      gates: [
        gate("echo lint", { name: "lint" }),
        gate("echo broken; exit 3", { name: "unit" }),
        gate("touch $ROOT/reached", { name: "late" }),
      ],
    }),
  );
  expect(outcome).toMatchObject({
    kind: "failed",
    results: [
      { gate: "lint", passed: true },
      { gate: "unit", passed: false, exitCode: 3, logTail: "broken" },
    ],
  });
  await expect(stat(join(root, "reached"))).rejects.toThrow("ENOENT");
});

test("a red tree is run once more before it is believed", async () => {
  const outcome = await createCi().check(request("echo x >> $COUNTER; exit 1"));
  expect(outcome).toMatchObject({ kind: "failed", remembered: false });
  expect(await attempts()).toBe(2);
});

test("pass after fail on the same tree is a flake, and passes", async () => {
  const command = "echo x >> $COUNTER; test $(wc -l < $COUNTER) -ge 2";
  expect(await createCi().check(request(command))).toMatchObject({ kind: "passed", flaky: true });
  expect(await createCi().check(request(command))).toMatchObject({
    kind: "passed",
    flaky: true,
    remembered: true,
  });
});

test("each attempt starts from a clean checkout and an empty TMPDIR", async () => {
  const command = "ls -A . $TMPDIR; touch left $TMPDIR/left; exit 1";
  const outcome = await createCi().check(request(command));
  expect(outcome.kind === "failed" && outcome.results[0]!.logTail).not.toContain("left");
});

test("kept folders survive between checkouts", async () => {
  const ci = createCi();
  await ci.check(request("mkdir -p kept && touch kept/a", { keep: ["kept"] }));
  const outcome = await ci.check(request("ls kept", { keep: ["kept"] }));
  expect(outcome).toMatchObject({ kind: "passed", results: [{ logTail: "a" }] });
});

test("a result is remembered for a day by tree, gates and environment", async () => {
  const command = "echo x >> $COUNTER";
  await createCi().check(request(command));
  clock += 23 * HOUR_MS;
  const again = await createCi().check(request(command, { key: "another" }));
  expect(again).toMatchObject({ kind: "passed", remembered: true });
  expect(await attempts()).toBe(1);
  clock += HOUR_MS;
  expect(await createCi().check(request(command))).toMatchObject({ remembered: false });
  await createCi().check(
    request(command, { commit: commitId("commit-2"), tree: treeId("tree-2") }),
  );
  await createCi().check(request(`${command}; true`));
  const environment = {
    PATH: process.env["PATH"] ?? "",
    COUNTER: join(root, "counter"),
    MODE: "x",
  };
  await createCi({ environment }).check(request(command));
  expect(await attempts()).toBe(5);
});

test("a certain failure is remembered; one that a busy machine could cause is not", async () => {
  const certain = request("echo x >> $COUNTER; exit 1");
  await createCi().check(certain);
  expect(await createCi().check(certain)).toMatchObject({ kind: "failed", remembered: true });
  const killed = request("echo x >> $COUNTER; kill -9 $$");
  await createCi().check(killed);
  expect(await createCi().check(killed)).toMatchObject({ kind: "failed", remembered: false });
});

test("with history nothing is remembered", async () => {
  const withHistory = request("echo x >> $COUNTER", { history: true });
  await createCi().check(withHistory);
  expect(await createCi().check(withHistory)).toMatchObject({ remembered: false });
  expect(await attempts()).toBe(2);
});

test.each([
  ["no-such-command-here", "command not found"],
  ["./file.txt", "command not executable"],
  ["kill -SEGV $$", "ended by SIGSEGV"],
  ["sh -c 'kill -9 $$'; exit $?", "ended by SIGKILL"],
  ["echo '# tests 0'", "no test executed"],
  ["pytest() { return 5; }; pytest", "no test executed"],
])("%j is red: %s", async (command, reason) => {
  const outcome = await createCi().check(request(command));
  expect(outcome).toMatchObject({ kind: "failed", results: [{ passed: false, reason }] });
});

test("a timeout ends the whole group, also what ignores SIGTERM", async () => {
  const command = "sh -c 'trap \"\" TERM; echo $$ >> $ROOT/pids; while :; do sleep 1; done' & wait";
  const outcome = await createCi().check(
    request("", { gates: [gate(command, { timeoutMs: 300 })] }),
  );
  expect(outcome).toMatchObject({
    kind: "failed",
    results: [{ passed: false, timedOut: true, reason: "timed out after 300ms" }],
  });
  const pids = (await readFile(join(root, "pids"), "utf8")).trim().split("\n").map(Number);
  expect(pids).toHaveLength(2);
  expect(pids.filter(isAlive)).toEqual([]);
});

test("a gate that ignores SIGTERM itself is killed after its grace", async () => {
  const command = "trap '' TERM; while :; do sleep 1; done";
  const outcome = await createCi().check(
    request("", { gates: [gate(command, { timeoutMs: 100 })] }),
  );
  expect(outcome).toMatchObject({
    results: [{ passed: false, timedOut: true, signal: "SIGKILL" }],
  });
});

test("what one gate left running is gone before the next one starts", async () => {
  const leave =
    "setsid sh -c 'echo $$ > $ROOT/pid; sleep 600' & until test -s $ROOT/pid; do :; done";
  const look = "p=$(cat $ROOT/pid); test ! -e /proc/$p || grep -q ') [ZX]' /proc/$p/stat";
  const gates = [gate(leave, { name: "leave" }), gate(look, { name: "look" })];
  expect(await createCi().check(request("", { gates }))).toMatchObject({ kind: "passed" });
});

test("a failing set-up is a failure of the CI infrastructure, and is not remembered", async () => {
  const setup = { command: "echo no network; exit 1", timeoutMs: 60_000 };
  const outcome = await createCi().check(request("true", { setup }));
  expect(outcome).toEqual({
    kind: "infra",
    tree: "tree-1",
    message: "set-up failed: `echo no network; exit 1`: exit 1",
    logTail: "no network",
    logFile: expect.stringMatching(/-setup\.log$/),
  });
  expect(records.size).toBe(0);
});

test("set-up runs before the gates in the same checkout", async () => {
  const setup = { command: "echo installed > dependency", timeoutMs: 60_000 };
  const outcome = await createCi().check(request("cat dependency", { setup }));
  expect(outcome).toMatchObject({ kind: "passed", results: [{ logTail: "installed" }] });
});

test("a checkout that cannot be made, or is of another tree, is a failure of the CI infrastructure", async () => {
  const full = async () => {
    throw new OperationError("cannot write: disk full", { code: "disk-full" });
  };
  expect(await createCi({ git: { checkout: full } }).check(request("true"))).toMatchObject({
    kind: "infra",
    message: "cannot write: disk full",
  });
  const other = request("true", { tree: treeId("tree-9") });
  expect(await createCi().check(other)).toMatchObject({ kind: "infra" });
});

test("a child that outlives its gate is ended, wherever it went", async () => {
  const outcome = await createCi().check(
    request(
      "(setsid sh -c 'echo $$ > $ROOT/pid; sleep 600' &); sleep 600 & until test -s $ROOT/pid; do :; done",
    ),
  );
  expect(outcome).toMatchObject({ kind: "passed" });
  expect(isAlive(Number(await readFile(join(root, "pid"), "utf8")))).toBe(false);
});

test("a child that left session, checkout and parent is ended by the mark in its environment", async () => {
  const pid = join(root, "pid");
  const command = `(setsid sh -c 'cd /; echo $$ > ${pid}; exec sleep 600' </dev/null >/dev/null 2>&1 &); until test -s ${pid}; do :; done`;
  expect(await createCi().check(request(command))).toMatchObject({ kind: "passed" });
  expect(isAlive(Number(await readFile(pid, "utf8")))).toBe(false);
});

test("a child that left session, environment and parent is ended by the checkout it works in", async () => {
  const pid = join(root, "pid");
  const command = `(env -i PATH=$PATH setsid sh -c 'echo $$ > ${pid}; exec sleep 600' </dev/null >/dev/null 2>&1 &); until test -s ${pid}; do :; done`;
  expect(await createCi().check(request(command))).toMatchObject({ kind: "passed" });
  expect(isAlive(Number(await readFile(pid, "utf8")))).toBe(false);
});

test("a stranger that holds the pipe does not hold the check", async () => {
  const pid = join(root, "pid");
  const command = `env -i PATH=$PATH setsid sh -c 'cd /; echo $$ > ${pid}; exec sleep 600' & until test -s ${pid}; do :; done; echo done`;
  const outcome = await createCi().check(request(command));
  expect(outcome).toMatchObject({ kind: "passed", results: [{ logTail: "done" }] });
  process.kill(Number(await readFile(pid, "utf8")), "SIGKILL");
});

test("aborting ends the group and rejects", async () => {
  const started = await makeFifo("started");
  const controller = new AbortController();
  const checked = createCi().check(
    request("sleep 600 & echo $! > $ROOT/started; wait", { signal: controller.signal }),
  );
  const pid = Number(await readFile(started, "utf8"));
  controller.abort();
  await expect(checked).rejects.toMatchObject({ name: "OperationError", code: "aborted" });
  expect(isAlive(pid)).toBe(false);
  expect(await readdir(join(root, "ci", "running"))).toEqual([]);
});

test("aborting while waiting for a slot rejects, and the line moves on", async () => {
  const [started, go] = [await makeFifo("started"), await makeFifo("go")];
  const ci = createCi();
  const first = ci.check(request("echo > $ROOT/started; cat $ROOT/go"));
  await readFile(started);
  const controller = new AbortController();
  const second = ci.check(request("echo second", { signal: controller.signal }));
  const third = ci.check(request("echo third"));
  controller.abort();
  await expect(second).rejects.toMatchObject({ code: "aborted" });
  await writeFile(go, "");
  expect(await first).toMatchObject({ kind: "passed" });
  expect(await third).toMatchObject({ kind: "passed", results: [{ logTail: "third" }] });
});

test("no more checks run at once than there are slots, first come first served", async () => {
  const ci = createCi({ slots: 2 });
  const command =
    "mkdir $ROOT/in-$$; ls $ROOT | grep -c ^in- >> $ROOT/seen; echo N >> $ROOT/order; rmdir $ROOT/in-$$";
  const names = ["a", "b", "c", "d", "e", "f"];
  await Promise.all(
    names.map((name) => ci.check(request(command.replace("N", name), { key: name }))),
  );
  const seen = (await readFile(join(root, "seen"), "utf8")).trim().split("\n").map(Number);
  expect(seen).toHaveLength(6);
  expect(Math.max(...seen)).toBeLessThanOrEqual(2);
});

test("the log keeps the end of a flood within its bound", async () => {
  const outcome = await createCi().check(
    request("yes a line of the flood | head -c 50000000; echo THE END"),
  );
  if (outcome.kind !== "passed") throw new Error("it was red");
  const [result] = outcome.results;
  const text = await readFile(result!.logFile, "utf8");
  expect(text.length).toBeLessThan(20_100_000);
  expect(text.length).toBeGreaterThan(9_000_000);
  expect(text).toMatch(/^\[pawl: the first \d+ bytes were left out\]\n/);
  expect(text.endsWith("THE END\n")).toBe(true);
  expect(Buffer.byteLength(result!.logTail)).toBeLessThanOrEqual(8000);
  expect(result!.logTail.split("\n")).toHaveLength(80);
  expect(await readdir(join(result!.logFile, ".."))).toEqual(["1-1-test.log"]);
});

test("a new configuration's checks neither end nor overtake the running ones of the old", async () => {
  const [started, go] = [await makeFifo("started"), await makeFifo("go")];
  const first = createCi().check(request("echo > $ROOT/started; cat $ROOT/go; ls"));
  await readFile(started);
  const second = createCi({ slots: 2 }).check(request("touch mine; pwd"));
  expect(await second).toMatchObject({
    results: [{ logTail: join(root, "ci", "checkouts", "1") }],
  });
  await writeFile(go, "");
  expect(await first).toMatchObject({ kind: "passed", results: [{ logTail: "file.txt" }] });
});

test("a commit that cannot be checked out completely is red, and its author is told why", async () => {
  const message = "cannot check out the submodule lib at 12ab: /srv/lib has no such commit";
  const git = {
    checkout: async () => {
      throw new OperationError(message, { code: "checkout-incomplete", hint: "push it" });
    },
  };
  expect(await createCi({ git }).check(request("true"))).toMatchObject({
    kind: "failed",
    results: [{ gate: "checkout", passed: false, logTail: `${message}\npush it` }],
  });
});

test("gates see exactly the committed tree, through the real git", async () => {
  const env = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_GLOBAL: "/dev/null" };
  const source = join(root, "source");
  const run = promisify(execFile);
  const author = ["-c", "user.name=Toy", "-c", "user.email=toy@example.org"];
  const inSource = (...args: string[]) => run("git", [...author, ...args], { cwd: source, env });
  await inSource("init", "-q", "-b", "main");
  await inSource("add", "-A");
  await inSource("commit", "-q", "-m", "start");
  await writeFile(join(source, "untracked.txt"), "not mine\n");
  const git = createGit({
    hub: join(root, "hub.git"),
    upstream: { kind: "local", path: source },
    target: "main",
    config: { sign: false, author: undefined },
    crash: noCrash,
    env,
  });
  const commit = await git.fetchTarget();
  const tree = await git.treeOf(commit);
  const ci = createCi({ git });
  const listed = await ci.check(request("ls -A; mkdir kept", { commit, tree, keep: ["kept"] }));
  expect(listed).toMatchObject({ kind: "passed", results: [{ logTail: "file.txt" }] });
  const again = await ci.check(request("ls -A; ! git log", { commit, tree, keep: ["kept"] }));
  expect(again).toMatchObject({ kind: "passed" });
  expect(again.kind === "passed" && again.results[0]!.logTail).toMatch(
    /^file.txt\nkept\nfatal: not/,
  );
});

const DAEMON = `
import { createBuiltinCi } from ${JSON.stringify(new URL("../../src/adapters/ci-builtin/builtin-ci.ts", import.meta.url).href)};
import { mkdir } from "node:fs/promises";
const root = process.env.ROOT;
const ci = createBuiltinCi({
  dir: root + "/ci",
  git: { checkout: async ({ path }) => (await mkdir(path, { recursive: true }), { tree: "tree-1" }) },
  records: { get: async () => undefined, put: async () => {} },
  environment: { PATH: process.env.PATH, ROOT: root },
  slots: 1, now: Date.now, crash: () => {},
});
const command = "setsid sleep 600 & sleep 601 & echo > $ROOT/started; wait";
await ci.check({ key: "old", commit: "commit-1", tree: "tree-1", setup: undefined, keep: [],
  gates: [{ name: "test", command, timeoutMs: 60000 }],
  history: false, signal: new AbortController().signal });
`;

test("what a killed daemon left running is ended before the next check", async () => {
  const fifo = await makeFifo("started");
  const daemon = spawn(process.execPath, ["--input-type=module", "-e", DAEMON], {
    env: { PATH: process.env["PATH"], ROOT: root },
    stdio: "inherit",
  });
  await readFile(fifo);
  daemon.kill("SIGKILL");
  await once(daemon, "exit");
  const mark = `old@${join(root, "ci", "checkouts", "0")}`;
  const programs = async (): Promise<string[]> =>
    (await markedProcesses(mark)).map((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim());
  // Two shells, and what they have started; while it becomes its program, its environment is empty.
  const started = async () => (await programs()).filter((name) => name === "sleep");
  await expect.poll(started, { timeout: 30_000 }).toHaveLength(2);
  expect(await createCi().check(request("true"))).toMatchObject({ kind: "passed" });
  expect(await markedProcesses(mark)).toEqual([]);
});

test("a process that only has a recorded pid is left alone", async () => {
  const stranger = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  await once(stranger, "spawn");
  const record = { mark: "gone", group: { id: stranger.pid, startedAt: "1" } };
  await mkdir(join(root, "ci", "running"), { recursive: true });
  await writeFile(join(root, "ci", "running", "0"), JSON.stringify(record));
  expect(await createCi().check(request("true"))).toMatchObject({ kind: "passed" });
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  stranger.kill("SIGKILL");
});

const JUNIT = (body: string): string =>
  `mkdir -p out && printf '<testsuites>${body}</testsuites>' > out/junit.xml`;

test.each([
  ["a green report is in the result", JUNIT('<testcase name="a"/>'), undefined],
  ["a report that is missing makes it red", "true", "no report at out/junit.xml"],
  ["a report without tests makes it red", JUNIT(""), "no test executed"],
  [
    "a report whose tests were all skipped makes it red",
    JUNIT('<testcase name="a"><skipped/></testcase>'),
    "no test executed",
  ],
  [
    "a report with failures makes it red although it exits 0",
    JUNIT('<testcase name="a"/><testcase name="b"><failure/></testcase>'),
    "its report shows 1 failed of 2 tests",
  ],
])("%s", async (_, command, reason) => {
  await mkdir(join(root, "source", "out"));
  await writeFile(join(root, "source", "out", "junit.xml"), '<testsuite><testcase name="old"/>');
  const gates = [gate(command, { report: "out/junit.xml" })];
  const outcome = await createCi().check(request("", { gates }));
  if (outcome.kind === "infra") throw new Error(outcome.message);
  expect(outcome.kind).toBe(reason === undefined ? "passed" : "failed");
  expect(outcome.results[0]?.reason).toBe(reason);
});

test("with one try a failure is told at once, and the next check of the same tree decides", async () => {
  const ci = createCi();
  const flaky = "n=$(cat $COUNTER 2>/dev/null || echo 0); echo $((n + 1)) > $COUNTER; [ $n -gt 0 ]";
  const once = request(flaky, { tries: 1 });
  expect(await ci.check(once)).toMatchObject({ kind: "failed", remembered: false });
  expect(await ci.check(once)).toMatchObject({ kind: "passed", flaky: true });
  const red = request("echo ran >> $ROOT/red; exit 3", { tries: 1 });
  expect(await ci.check(red)).toMatchObject({ kind: "failed", remembered: false });
  expect(await ci.check(red)).toMatchObject({ kind: "failed", remembered: false });
  // Twice the same way: certain, and not run a third time.
  expect(await ci.check(red)).toMatchObject({ kind: "failed", remembered: true });
  expect(await readFile(join(root, "red"), "utf8")).toBe("ran\nran\n");
});
