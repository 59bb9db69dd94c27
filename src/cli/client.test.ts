import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { daemonSocket, runtimeFolder } from "../config/home.ts";
import { createClient } from "./client.ts";

/** A daemon that does with each connection what the test says; `asked`: the first line of each. */
async function daemon(answer: (socket: Socket, count: number) => void) {
  const root = mkdtempSync(join(tmpdir(), "pawl-client-"));
  const env = { PAWL_HOME: join(root, "home"), XDG_RUNTIME_DIR: root };
  const path = daemonSocket(runtimeFolder(env, env.PAWL_HOME));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (data) => {
      asked.push(data.toString().split("\r\n")[0] ?? "");
      answer(socket, asked.length);
    });
  });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  chmodSync(path, 0o600);
  onTestFinished(() => {
    server.close();
    rmSync(root, { recursive: true });
  });
  const client = createClient({ env, cwd: root, version: "1", project: undefined });
  return { client, asked };
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{"a":1}';

test("a question to a daemon that answers is one connection, without a ping", async () => {
  const { client, asked } = await daemon((socket) => void socket.end(OK));
  expect(await client.get("/v1/status")).toEqual({ a: 1 });
  expect(asked).toEqual(["GET /v1/status HTTP/1.1"]);
});

test("a daemon that is slow and answers a ping is waited for", async () => {
  const waiting: Socket[] = [];
  const { client, asked } = await daemon((socket, count) => {
    if (count === 1) waiting.push(socket);
    else {
      socket.end(OK);
      waiting[0]?.end(OK);
    }
  });
  expect(await client.get("/v1/status")).toEqual({ a: 1 });
  expect(asked).toEqual(["GET /v1/status HTTP/1.1", "GET /v1/ping HTTP/1.1"]);
});

test("a question to a daemon that hangs up is asked once more", async () => {
  const { client, asked } = await daemon((socket, count) => {
    if (count === 1) socket.destroy();
    else socket.end(OK);
  });
  expect(await client.get("/v1/status")).toEqual({ a: 1 });
  expect(asked).toHaveLength(2);
});
