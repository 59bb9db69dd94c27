// What the wrapper leaves behind for every way a life can end, and what the agent gets.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSessionFiles } from "../../src/adapters/session-files/session-files.ts";
import { readLifeRecord } from "../../src/adapters/shared/life-record.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { exited, isRunning, makeWorld } from "../support/terminal-world.ts";
import type { World } from "../support/terminal-world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const agentOf = async (dir: string): Promise<number> => {
  await expect.poll(async () => (await readLifeRecord(dir))?.agent?.pid).toBeTypeOf("number");
  return (await readLifeRecord(dir))?.agent?.pid ?? 0;
};

/** The agent says in its log that it is ready, so that a signal finds it as it means to be. */
const ready = async (logFile: string): Promise<void> => {
  await expect.poll(() => readFileSync(logFile, "utf8")).toContain("ready");
};

test("an agent that ends well leaves code 0 and the times", async () => {
  const before = Date.now();
  const life = await world.start({ run: "well", script: "exit 0" });
  const { exit } = await exited(world.files, life.dir);
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit?.startedAt).toBeGreaterThanOrEqual(before - 1);
  expect(exit?.endedAt).toBeGreaterThanOrEqual(exit?.startedAt ?? Infinity);
});

test("an exit code is recorded as it is", async () => {
  const life = await world.start({ run: "code", script: "exit 42" });
  expect((await exited(world.files, life.dir)).exit).toMatchObject({ code: 42, signal: null });
});

test("a missing command is recorded as 127 and named in the log", async () => {
  const life = await world.start({ run: "missing", argv: ["no-such-agent", "--x"] });
  expect((await exited(world.files, life.dir)).exit).toMatchObject({ code: 127, signal: null });
  await expect.poll(() => readFileSync(life.logFile, "utf8")).toContain("no-such-agent");
});

test("a missing workspace is recorded as 126 and named in the log", async () => {
  const life = await world.start({ run: "no-cwd", cwd: "/no/such/folder" });
  expect((await exited(world.files, life.dir)).exit).toMatchObject({ code: 126 });
  await expect.poll(() => readFileSync(life.logFile, "utf8")).toContain("/no/such/folder");
});

test("kill -9 of the agent is recorded as SIGKILL", async () => {
  const life = await world.start({ run: "kill-agent", argv: ["sleep", "1000"] });
  process.kill(await agentOf(life.dir), "SIGKILL");
  expect((await exited(world.files, life.dir)).exit).toMatchObject({
    code: null,
    signal: "SIGKILL",
  });
});

test("kill -9 of the wrapper takes the agent along, also one that ignores HUP", async () => {
  const life = await world.start({
    run: "kill-wrapper",
    script: `trap "" HUP; echo ready; exec sleep 1000`,
  });
  const agent = await agentOf(life.dir);
  await ready(life.logFile);
  const gone = Promise.withResolvers<void>();
  const watch = world.files.watch({
    dir: { path: life.dir },
    onChange: (snapshot) => {
      if (snapshot.process !== undefined) process.kill(life.spawned.process.pid, "SIGKILL");
    },
    onMaybeGone: () => gone.resolve(),
  });
  await gone.promise;
  watch.close();
  expect(await world.terminal.probe(life.spawned.process)).toBe("dead");
  await expect.poll(() => isRunning(agent)).toBe(false);
  expect(existsSync(join(life.dir, "exit.json"))).toBe(false);
});

test("kill-session writes the exit record, also for an agent that ignores HUP", async () => {
  const life = await world.start({
    run: "kill-session",
    script: `trap "" HUP; echo ready; exec sleep 1000`,
  });
  await ready(life.logFile);
  world.tmux("kill-session", "-t", "=kill-session");
  expect((await exited(world.files, life.dir)).exit).toMatchObject({ signal: "SIGTERM" });
});

test("kill -9 of the tmux server writes the exit record, and the next spawn makes a new server", async () => {
  const other = await makeWorld();
  try {
    const life = await other.start({ run: "first", argv: ["sleep", "1000"] });
    await agentOf(life.dir);
    process.kill(Number(other.tmux("display-message", "-p", "#{pid}")), "SIGKILL");
    // Linux tells only the leader; its end sends HUP to the agent.
    expect((await exited(other.files, life.dir)).exit?.signal).toMatch(/^SIG(HUP|TERM)$/);
    expect(await other.terminal.panes()).toEqual([]);
    const next = await other.start({ run: "second", script: "exit 5" });
    expect((await exited(other.files, next.dir)).exit).toMatchObject({ code: 5 });
  } finally {
    await other.close();
  }
});

test("the agent owns the terminal: what is typed reaches it, Ctrl-C ends it and not the wrapper", async () => {
  const life = await world.start({
    run: "tty",
    script: `test -t 0 && test -t 1 && echo ready; read -r line; echo "got <$line>"; exec cat`,
  });
  await ready(life.logFile);
  world.tmux("send-keys", "-t", life.spawned.pane, "hello", "Enter");
  await expect.poll(() => readFileSync(life.logFile, "utf8")).toContain("got <hello>");
  world.tmux("send-keys", "-t", life.spawned.pane, "C-z", "C-c");
  expect((await exited(world.files, life.dir)).exit).toMatchObject({ signal: "SIGINT" });
});

test("the environment arrives byte for byte, and nothing else does", async () => {
  const env = {
    QUOTES: `it's "quoted" \\ back\\'slash`,
    LINES: "one\ntwo\n\n  three\t\n",
    SHELL_WORDS: "$(touch PWNED) `id` $HOME ; & | > < * ? ~ !",
    EMOJI: "🙂 é ā \u0081\u0088 日本",
    EMPTY: "",
    "odd.name-x": "y",
  };
  const life = await world.start({
    run: "environment",
    // Not a shell, which would add and drop variables of its own.
    argv: ["dd", "if=/proc/self/environ", `of=${join(world.dirOf("environment"), "env")}`],
    env,
  });
  await exited(world.files, life.dir);
  const entries = readFileSync(join(life.dir, "env"), "utf8").split("\0");
  const got = Object.fromEntries(
    entries
      .filter((entry) => entry !== "")
      .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
  expect(got).toEqual({
    TERM: "tmux-256color",
    PATH: process.env["PATH"],
    PAWL_PROJECT: life.marks.project,
    PAWL_RUN: "environment",
    PAWL_EPOCH: "1",
    OUT: life.dir,
    ...env,
  });
});

test("arguments arrive unchanged with every kind of character", async () => {
  const words = [
    "a b",
    "",
    "$(touch PWNED)",
    "`id`",
    "it's",
    "line\nbreak",
    "--",
    "x;",
    ";",
    "é🙂",
    "#{pane_id}",
    "%H",
  ];
  const life = await world.start({
    run: "arguments",
    argv: ["sh", "-c", `printf '%s\\0' "$@" >"$OUT/args"`, "sh", ...words],
  });
  await exited(world.files, life.dir);
  expect(readFileSync(join(life.dir, "args"), "utf8")).toBe(
    words.map((word) => `${word}\0`).join(""),
  );
  expect(existsSync(join(world.root, "PWNED"))).toBe(false);
});

test("folders with odd names serve for the session and its log", async () => {
  const odd = "it's $(touch PWNED) #{pane_id} %H é;";
  const life = await world.start({ run: odd, name: "odd.name:x", script: "echo first-line" });
  expect(life.spawned.tmuxSession).toBe("odd_name_x");
  expect((await exited(world.files, life.dir)).exit).toMatchObject({ code: 0 });
  await expect.poll(() => readFileSync(life.logFile, "utf8")).toContain("first-line");
  expect(existsSync(join(world.root, "PWNED"))).toBe(false);
});

test("the end of the log can be read without escape sequences", async () => {
  const life = await world.start({
    run: "log",
    script: String.raw`printf '\033[31mred\033[0m\n'; printf '10%%\r100%%\n'; echo the-result`,
  });
  await exited(world.files, life.dir);
  const files = createSessionFiles({ crash: noCrash });
  await expect
    .poll(() => files.logTail({ logFile: life.logFile, maxBytes: 1_000 }))
    .toBe("red\n100%\nthe-result");
});

test("the screens of more panes than one question of tmux has room for are read", async () => {
  const life = await world.start({ run: "many", script: "echo ready; sleep 600" });
  const { pane } = life.spawned;
  const panes = Array.from({ length: 250 }, () => pane);
  await expect
    .poll(() => world.terminal.screens(panes), { timeout: 30_000 })
    .toEqual(new Map([[pane, expect.stringContaining("ready")]]));
});
