import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openProgramStarter, type Report } from "./program-starter.ts";
import { run } from "./run.ts";

const PATIENT = { timeout: 20_000 };
const sh = (script: string) =>
  run({
    argv: ["sh", "-c", script],
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    timeoutMs: 30_000,
    maxBytes: 1000,
  });
const parent = async (): Promise<number> => Number((await sh("echo $PPID")).stdout);
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

let folder: string;
let lost: number[];
let starter: Awaited<ReturnType<typeof openProgramStarter>>;

/** The process that starts programs. */
async function whenReady(): Promise<number> {
  await vi.waitUntil(async () => (await parent()) !== process.pid, PATIENT);
  return parent();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pawl-starter-"));
  lost = [];
  const onLost = (programs: number): unknown => lost.push(programs);
  starter = await openProgramStarter({ folder, onLost });
});

afterEach(async () => {
  await starter.close();
  rmSync(folder, { recursive: true });
});

test("programs that are asked for before it is ready wait for it", async () => {
  const parents = await Promise.all([parent(), parent(), parent()]);
  expect(new Set(parents).size).toBe(1);
  expect(parents).not.toContain(process.pid);
});

test("a program that runs when its starter dies is ended and counts as killed, and another starter follows", async () => {
  const first = await whenReady();
  const began = Promise.withResolvers<number>();
  const running = run({
    argv: ["sh", "-c", "echo $$ >&2; exec sleep 100"],
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    timeoutMs: 30_000,
    maxBytes: 1000,
    onStderr: (text) => began.resolve(Number(text)),
  });
  const pid = await began.promise;
  process.kill(first, "SIGKILL");
  await expect(running).rejects.toMatchObject({ code: "command-killed" });
  await vi.waitUntil(() => !isAlive(pid), PATIENT);
  expect(lost).toEqual([1]);
  // Meanwhile this process starts them itself.
  expect((await sh("echo there")).stdout).toBe("there");
  expect(await whenReady()).not.toBe(first);
});

test("a program that was ordered when its starter died counts as killed, or ran", async () => {
  const first = await whenReady();
  process.kill(first, "SIGSTOP");
  const ordered = [sh("echo a"), sh("echo b")];
  process.kill(first, "SIGKILL");
  const [a, b] = await Promise.allSettled(ordered);
  expect(a).toMatchObject({ status: "rejected", reason: { code: "command-killed" } });
  expect(b).toMatchObject({ status: "fulfilled", value: { stdout: "b" } });
});

test("a starter that does not start a program in its time is replaced, and others are started meanwhile", async () => {
  await starter.close();
  const onLost = (programs: number): unknown => lost.push(programs);
  starter = await openProgramStarter({ folder, onLost, startMs: 3_000 });
  const first = await whenReady();
  process.kill(first, "SIGSTOP");
  const [a, b] = await Promise.allSettled([sh("echo a"), sh("echo b")]);
  expect(a).toMatchObject({ status: "rejected", reason: { code: "command-killed" } });
  expect(b).toMatchObject({ status: "fulfilled", value: { stdout: "b" } });
  await vi.waitUntil(() => !isAlive(first), PATIENT);
  expect(await whenReady()).not.toBe(first);
  expect(lost).toEqual([1]);
});

test("a signal for the daemon's group does not end it, closing does, and waits for it", async () => {
  const first = await whenReady();
  process.kill(first, "SIGTERM");
  expect(await parent()).toBe(first);
  await starter.close();
  expect(isAlive(first)).toBe(false);
  expect(await parent()).toBe(process.pid);
  expect(lost).toEqual([]);
});

test("where its socket was removed, this process starts programs itself", async () => {
  const first = await whenReady();
  rmSync(join(folder, `programs-${process.pid}.sock`));
  expect(await parent()).toBe(process.pid);
  expect(isAlive(first)).toBe(true);
});

test("it ends with a daemon that is killed", async () => {
  const script = `
    const { openProgramStarter } = await import("${import.meta.dirname}/program-starter.ts");
    const { run } = await import("${import.meta.dirname}/run.ts");
    await openProgramStarter({ folder: "${folder}", onLost: () => {} });
    const env = { PATH: process.env.PATH };
    const request = { argv: ["sh", "-c", "echo $PPID"], cwd: "/", env, timeoutMs: 9000, maxBytes: 99 };
    for (;;) {
      const { stdout } = await run(request);
      if (Number(stdout) !== process.pid) console.log(stdout);
    }`;
  const daemon = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(daemon.stdout), "line")) as [string];
  daemon.kill("SIGKILL");
  await vi.waitFor(() => expect(isAlive(Number(line))).toBe(false), PATIENT);
});

test("a program that reads is started only when the daemon has heard of its stdin: git patch-id reads a broken one for ever", async () => {
  const socket = join(folder, "deaf.sock");
  const deaf = createServer().listen(socket);
  await once(deaf, "listening");
  const main = fileURLToPath(new URL("./starter-main.ts", import.meta.url));
  const child = fork(main, [socket], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const reports: Report[] = [];
  child.on("message", (report: Report) => reports.push(report));
  const begun = (id: string): boolean => reports.some((one) => "pid" in one && one.id === id);
  try {
    await vi.waitUntil(() => reports.some((one) => "isReady" in one), PATIENT);
    const place = { cwd: "/", env: { PATH: process.env["PATH"] } };
    const reading = "r".repeat(36);
    child.send({ id: reading, argv: ["cat"], stdio: ["pipe", "ignore", "ignore"], ...place });
    for (const id of ["a", "b"].map((one) => one.repeat(36))) {
      child.send({ id, argv: ["true"], stdio: ["ignore", "ignore", "ignore"], ...place });
      await vi.waitUntil(() => begun(id), PATIENT);
    }
    expect(begun(reading)).toBe(false);
    child.send({ greeted: reading });
    await vi.waitUntil(() => begun(reading), PATIENT);
  } finally {
    child.kill("SIGKILL");
    deaf.close();
  }
});
