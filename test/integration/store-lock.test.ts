// The single-instance lock between real processes.
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { acquireLock } from "../../src/store/lock.ts";
import { startNode } from "./support/node-child.ts";

const self = { version: "1.2.3" };
const imports = ["lock.ts acquireLock"];
const holdForLife = `
  const lock = acquireLock(path, { version: "9.9.9" });
  console.log(lock.kind);
  if (lock.kind === "held") setTimeout(() => {}, 60_000);`;

let folder: string;
let path: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-lock-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  count += 1;
  path = join(folder, `${count}`, "lock.db");
});

test("a second one is refused and told who holds it", async () => {
  const child = startNode({ code: holdForLife, imports, path });
  await child.line("held");
  const refused = acquireLock(path, self);
  const holder = { pid: child.pid, host: hostname(), version: "9.9.9" };
  expect(refused).toMatchObject({ kind: "busy", holder });
  await child.kill();
});

test("kill -9 frees the lock", async () => {
  const child = startNode({ code: holdForLife, imports, path });
  await child.line("held");
  await child.kill();
  const lock = acquireLock(path, self);
  expect(lock.kind).toBe("held");
  if (lock.kind === "held") lock.release();
});

test("releasing it lets the next one in and leaves no name behind", () => {
  const first = acquireLock(path, self);
  expect(first.kind).toBe("held");
  expect(acquireLock(path, self)).toMatchObject({ kind: "busy", holder: { pid: process.pid } });
  if (first.kind === "held") first.release();
  expect(existsSync(`${path}.holder.json`)).toBe(false);
  const second = acquireLock(path, self);
  expect(second.kind).toBe("held");
  // Releasing a second time must not free another holder's lock.
  if (first.kind === "held") first.release();
  expect(acquireLock(path, self).kind).toBe("busy");
  if (second.kind === "held") second.release();
});

test("a refused try from the same program does not drop the lock", async () => {
  const lock = acquireLock(path, self);
  expect(acquireLock(path, self).kind).toBe("busy");
  const child = startNode({ code: holdForLife, imports, path });
  expect(await child.output()).toEqual(["busy"]);
  if (lock.kind === "held") lock.release();
});

test("of many that ask at once exactly one gets it", async () => {
  const children = Array.from({ length: 6 }, () => startNode({ code: holdForLife, imports, path }));
  const answers = await Promise.all(children.map((child) => child.firstLine()));
  expect(answers.toSorted()).toEqual([...Array(5).fill("busy"), "held"]);
  await Promise.all(children.map((child) => child.kill()));
});

test("a lock without references is still held", async () => {
  const forgetful = `
    console.log(acquireLock(path, { version: "9.9.9" }).kind);
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc();
    console.log("collected");
    setTimeout(() => {}, 60_000);`;
  const child = startNode({ code: forgetful, imports, path });
  await child.line("collected");
  expect(acquireLock(path, self).kind).toBe("busy");
  await child.kill();
});

test("the name of a holder that was killed is not told as the present one's", () => {
  const lock = acquireLock(path, self);
  // No process has this id: the kernel's limit is lower.
  const dead = { pid: 2 ** 22 + 1, host: hostname(), startedAt: 1, version: "0.0.1" };
  writeFileSync(`${path}.holder.json`, JSON.stringify(dead));
  expect(acquireLock(path, self)).toEqual({ kind: "busy", holder: undefined });
  writeFileSync(`${path}.holder.json`, "{ torn");
  expect(acquireLock(path, self)).toEqual({ kind: "busy", holder: undefined });
  if (lock.kind === "held") lock.release();
});

test("the lock and the name beside it are for their owner only", () => {
  const lock = acquireLock(path, self);
  const modes = [path, `${path}.holder.json`].map((file) => statSync(file).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600]);
  if (lock.kind === "held") lock.release();
});

test("a place where no lock can be made is an error, not a refusal", () => {
  expect(() => acquireLock("/proc/pawl/lock.db", self)).toThrow("cannot lock");
});
