import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeSocket, socketPath } from "./socket-path.ts";

function folder(depth: number): string {
  const root = mkdtempSync(join(tmpdir(), "pawl-sockets-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dir = join(root, "d".repeat(depth));
  mkdirSync(dir);
  return dir;
}

test("a socket lies in the session's folder, unless its path would be too long", async () => {
  const near = folder(1);
  expect(await socketPath(near)).toBe(join(near, "codex.sock"));
  const deep = folder(120);
  const path = await socketPath(deep);
  expect(Buffer.byteLength(path)).toBeLessThan(107);
  await removeSocket(deep);
  expect(existsSync(dirname(path))).toBe(false);
});

/** Listens, and is killed before it could remove its socket. */
const KILLED = `require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;

test("what a killed life left among the temporary files is removed; a living one keeps its own", async () => {
  const [dead, alive] = [folder(120), folder(121)];
  const left = await socketPath(dead);
  const used = await socketPath(alive);
  const server = createServer().listen(used);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  spawnSync(process.execPath, ["-e", KILLED, left]);
  expect(existsSync(left)).toBe(true);
  const next = folder(122);
  await socketPath(next);
  expect([existsSync(dirname(left)), existsSync(used)]).toEqual([false, true]);
  expect(readFileSync(join(next, "codex-socket-folder"), "utf8")).toContain("pawl-codex-");
  await Promise.all([alive, next].map(removeSocket));
});
