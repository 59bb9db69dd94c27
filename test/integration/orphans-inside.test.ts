// Which processes count as left behind in a folder: real ones, in a private folder.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { orphansInside } from "../../src/adapters/shared/orphans-inside.ts";
import { hasProc, readProcess } from "../../src/adapters/shared/process-table.ts";
import { run } from "../../src/adapters/shared/run.ts";

let root: string;
let pids: number[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pawl-orphans-")));
  pids = [];
  await mkdir(join(root, "workspace"));
});

afterEach(async () => {
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await rm(root, { recursive: true });
});

const ticksOf = (startTime: string): number => Number.parseInt(startTime, 10);

function startOf(pid: number): string {
  const row = readProcess(pid);
  if (typeof row === "string") throw new Error(`process ${pid} is ${row}`);
  return row.startTime;
}

/** The start time of a process that began later than this one. */
async function laterThan(startTime: string): Promise<string> {
  for (;;) {
    const child = spawn("sleep", ["600"]);
    const began = startOf(child.pid!);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    if (ticksOf(began) > ticksOf(startTime)) return began;
  }
}

/** A server that has left its parent; told so, it starts a helper that works in the folder. */
async function startServer(): Promise<number> {
  const helper = "cd workspace && sh -c 'echo $$ > ../helper; exec sleep 600'";
  const server = `echo $$ > server; cat go; ${helper} & wait`;
  await sh(`mkfifo server go helper; SERVER="${server.replaceAll("$", "\\$")}"
(setsid sh -c "$SERVER" </dev/null >/dev/null 2>&1 &)`);
  return told("server");
}

const sh = (script: string) =>
  run({
    argv: ["sh", "-c", script],
    cwd: root,
    env: { PATH: process.env["PATH"] },
    timeoutMs: 30_000,
    maxBytes: 10_000,
  });

async function told(fifo: string): Promise<number> {
  const pid = Number(await readFile(join(root, fifo), "utf8"));
  pids.push(pid);
  return pid;
}

test.runIf(hasProc)(
  "what a server of before starts in the folder is the server's, not an orphan",
  async () => {
    const server = startOf(await startServer());
    const since = await laterThan(server);
    await writeFile(join(root, "go"), "");
    const helper = await told("helper");
    const found = async (from: string) =>
      (await orphansInside(join(root, "workspace"), { since: from })).map(({ pid }) => pid);
    expect(ticksOf(startOf(helper))).toBeGreaterThanOrEqual(ticksOf(since));
    expect(await found(since)).toEqual([]);
    expect(await found(server)).toEqual([helper]);
  },
);

test.runIf(hasProc)("a program of the folder is found wherever it works", async () => {
  await sh(`cp "$(command -v sleep)" workspace/sleep; mkfifo tool
(setsid env -i sh -c 'cd /; echo $$ > ${root}/tool; exec ${root}/workspace/sleep 600' </dev/null >/dev/null 2>&1 &)`);
  const tool = await told("tool");
  const found = async () => (await orphansInside(join(root, "workspace"))).map(({ pid }) => pid);
  await expect.poll(found).toEqual([tool]);
});
