// Ending a life ends all of it and nothing else.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exited, isRunning, makeWorld } from "../support/terminal-world.ts";
import type { World } from "../support/terminal-world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const pidIn = async (dir: string, file: string): Promise<number> => {
  const read = (): string => {
    try {
      return readFileSync(join(dir, file), "utf8");
    } catch {
      return "";
    }
  };
  await expect.poll(read).toMatch(/^\d+\n$/);
  return Number(read());
};

const sessions = async (): Promise<string[]> => {
  const panes = await world.terminal.panes();
  return panes === "unknown" ? ["unknown"] : panes.map((pane) => pane.tmuxSession);
};

test("TERM ends an agent, and the record says so", async () => {
  const life = await world.start({ run: "term", script: `echo $$ >"$OUT/pid"; exec sleep 1000` });
  await pidIn(life.dir, "pid");
  await world.end(life);
  expect((await world.files.read({ path: life.dir })).exit).toMatchObject({ signal: "SIGTERM" });
  expect(await world.terminal.probe(life.spawned.process)).toBe("dead");
  expect(await sessions()).not.toContain("term");
});

test("an agent may clean up within its grace", async () => {
  const life = await world.start({
    run: "grace",
    script: `trap 'echo saved >"$OUT/saved"; exit 0' TERM; echo $$ >"$OUT/pid"; while :; do sleep 0.05; done`,
  });
  await pidIn(life.dir, "pid");
  await world.end(life, 20_000);
  expect(readFileSync(join(life.dir, "saved"), "utf8")).toBe("saved\n");
  expect((await world.files.read({ path: life.dir })).exit).toMatchObject({ code: 0 });
});

test("an agent that ignores TERM is killed after its grace, and the record is still written", async () => {
  const life = await world.start({
    run: "stubborn",
    script: `trap "" TERM; echo $$ >"$OUT/pid"; while :; do sleep 0.05; done`,
  });
  await pidIn(life.dir, "pid");
  await world.end(life, 50);
  expect((await world.files.read({ path: life.dir })).exit).toMatchObject({ signal: "SIGKILL" });
});

test("a stopped agent is ended too", async () => {
  const life = await world.start({
    run: "stopped",
    script: `echo $$ >"$OUT/pid"; exec sleep 1000`,
  });
  process.kill(await pidIn(life.dir, "pid"), "SIGSTOP");
  await world.end(life, 20_000);
  expect((await world.files.read({ path: life.dir })).exit).toMatchObject({ signal: "SIGTERM" });
});

test("a grandchild with a session of its own is gone, also when its parents are", async () => {
  const life = await world.start({
    run: "setsid",
    script: `setsid sh -c 'trap "" TERM HUP; echo $$ >"$OUT/pid"; while :; do sleep 0.05; done' </dev/null >/dev/null 2>&1 & exit 0`,
  });
  const grandchild = await pidIn(life.dir, "pid");
  await exited(world.files, life.dir);
  expect(await isRunning(grandchild)).toBe(true);
  await world.end(life, 50);
  expect(await isRunning(grandchild)).toBe(false);
});

test("a child that threw its marks away but kept its parent is gone", async () => {
  const life = await world.start({
    run: "unmarked",
    script: `env -i PATH="$PATH" OUT="$OUT" setsid sh -c 'echo $$ >"$OUT/pid"; exec sleep 1000' & wait`,
  });
  const child = await pidIn(life.dir, "pid");
  await world.end(life);
  await expect.poll(() => isRunning(child)).toBe(false);
});

test("another life's processes, and strangers with a part of the marks, are left alone", async () => {
  const other = await world.start({ run: "other", argv: ["sleep", "1000"] });
  const life = await world.start({ run: "mine", argv: ["sleep", "1000"] });
  const stranger = spawn("sleep", ["1000"], {
    env: {
      PATH: process.env["PATH"],
      PAWL_PROJECT: life.marks.project,
      PAWL_RUN: "mine",
      PAWL_EPOCH: "11",
    },
    stdio: "ignore",
  });
  await once(stranger, "spawn");
  await world.end(life);
  expect(await world.terminal.probe(other.spawned.process)).toBe("alive");
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  stranger.kill("SIGKILL");
  await world.end(other);
});

test("the same run of another factory is left alone", async () => {
  const life = await world.start({ run: "twin", script: "exec sleep 1000" });
  const twin = (folder: string) =>
    spawn("sleep", ["1000"], {
      env: {
        PATH: process.env["PATH"],
        PAWL_PROJECT: world.project,
        PAWL_RUN: "twin",
        PAWL_EPOCH: "1",
        PAWL_PHASE_FILE: join(folder, "phase"),
      },
    });
  const [own, stranger] = [twin(life.dir), twin("/elsewhere/runs/twin/1")];
  const { tmuxSession, process: wrapper } = life.spawned;
  const marks = { ...life.marks, dir: life.dir };
  await world.terminal.end({ tmuxSession, process: wrapper, marks, graceMs: 1_000 });
  expect(await isRunning(own.pid ?? 0)).toBe(false);
  expect(await isRunning(stranger.pid ?? 0)).toBe(true);
  stranger.kill("SIGKILL");
  await once(stranger, "exit");
});

test("a process id that was reused is not touched", async () => {
  const stranger = spawn("sleep", ["1000"], { stdio: "ignore" });
  await once(stranger, "spawn");
  const id = { pid: stranger.pid ?? 0, startTime: "1" };
  expect(await world.terminal.probe(id)).toBe("dead");
  await world.terminal.end({
    tmuxSession: "unknown",
    process: id,
    marks: { project: "unknown", run: "unknown", epoch: 1 },
    graceMs: 0,
  });
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  stranger.kill("SIGKILL");
});

test("ending is repeatable, and works when the server is gone", async () => {
  const second = await makeWorld();
  try {
    const life = await second.start({
      run: "serverless",
      script: `trap "" HUP TERM; echo $$ >"$OUT/pid"; while :; do sleep 0.05; done`,
    });
    const agent = await pidIn(life.dir, "pid");
    second.tmux("kill-server");
    await second.end(life, 50);
    await second.end(life, 50);
    expect(await isRunning(agent)).toBe(false);
    expect((await second.files.read({ path: life.dir })).exit).toMatchObject({ signal: "SIGKILL" });
  } finally {
    await second.close();
  }
});

test("a life that never got into the journal is found by its marks", async () => {
  const life = await world.start({
    run: "unrecorded",
    script: `echo $$ >"$OUT/pid"; exec sleep 1000`,
  });
  await world.terminal.end({
    tmuxSession: undefined,
    process: undefined,
    marks: life.marks,
    graceMs: 5_000,
  });
  expect(await world.terminal.probe(life.spawned.process)).toBe("dead");
  expect(await sessions()).not.toContain("unrecorded");
});

test("an end that comes right after the start leaves nothing behind", async () => {
  for (let round = 0; round < 10; round++) {
    const life = await world.start({ run: `early-${round}`, argv: ["sleep", "1000"] });
    await world.end(life, 10_000);
    expect(await world.terminal.probe(life.spawned.process)).toBe("dead");
    expect(await sessions()).not.toContain(`early-${round}`);
  }
});

/** Leaves its session, its environment and its parent behind, and stays in its folder. */
const ESCAPES = (out: string): string =>
  `(env -i setsid sh -c 'echo $$ > "'"${out}"'"; exec sleep 1000' </dev/null >/dev/null 2>&1 &)`;

test("a child that left session, environment and parent is ended by the workspace it works in", async () => {
  const cwd = join(world.root, "workspace-1");
  mkdirSync(cwd);
  const script = `${ESCAPES("$OUT/escaped")}; echo $$ >"$OUT/pid"; exec sleep 1000`;
  const life = await world.start({ run: "escaping", cwd, script });
  const escaped = await pidIn(life.dir, "escaped");
  await pidIn(life.dir, "pid");
  await world.end(life);
  expect(await isRunning(escaped)).toBe(false);
});

test("what others run in the same folder is left alone: it has a parent, or began before", async () => {
  const cwd = join(world.root, "workspace-2");
  mkdirSync(cwd);
  const before = join(world.root, "before");
  spawnSync("sh", ["-c", ESCAPES(before)], { cwd, env: { PATH: process.env["PATH"] } });
  const earlier = await pidIn(world.root, "before");
  const life = await world.start({ run: "shared", cwd, script: `exec sleep 1000` });
  const editor = spawn("sleep", ["1000"], { cwd, stdio: "ignore", detached: true });
  await once(editor, "spawn");
  await world.end(life);
  expect(await isRunning(earlier)).toBe(true);
  expect(await isRunning(editor.pid ?? 0)).toBe(true);
  process.kill(earlier, "SIGKILL");
  editor.kill("SIGKILL");
  await once(editor, "exit");
});
