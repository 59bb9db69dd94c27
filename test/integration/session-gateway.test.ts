// The process around a session: where it cannot open its ways out, nothing is started, and how it exits
// says whether the next try may succeed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const MAIN = join(import.meta.dirname, "../../src/adapters/session-gateway/gateway-main.ts");
const place = mkdtempSync(join(tmpdir(), "pawl-gateway-"));
afterAll(() => rmSync(place, { recursive: true }));

function start(model: object) {
  const folder = mkdtempSync(join(place, "life-"));
  for (const name of ["tmp", "new"]) mkdirSync(join(folder, "spool", name), { recursive: true });
  const path = join(folder, "settings.json");
  const more = { dir: folder, folder, limits: folder, token: "t", keys: [], retryMs: 1 };
  writeFileSync(path, JSON.stringify({ ...more, spent: { tokens: 0, usd: 0 }, model }));
  const started = join(folder, "started");
  const ended = spawnSync(process.execPath, [MAIN, path, "--", "touch", started], {
    encoding: "utf8",
  });
  return { ...ended, isStarted: existsSync(started), isLeft: existsSync(path) };
}

test("a port that another program took ends the life as a crash, so that the next one takes another", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const taken = start({ port: (server.address() as AddressInfo).port });
  server.close();
  expect(taken).toMatchObject({ status: 1, isStarted: false, isLeft: false });
  expect(taken.stderr).toContain("no agent starts");
});

test("a way that can never be opened is said to be one, and its keys are not left", () => {
  const never = start({ socket: join(place, "missing", "socket") });
  expect(never).toMatchObject({ status: 126, isStarted: false, isLeft: false });
});
