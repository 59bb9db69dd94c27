import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createChunkReader } from "./chunk-reader.ts";
import { createEventReader } from "./event-reader.ts";
import { followChanges } from "./follow-changes.ts";

const HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

function read(pieces: string[]): string[] {
  const heard: string[] = [];
  const events = createEventReader({
    onId: (id) => heard.push(`id ${id}`),
    onEvent: (kind) => heard.push(kind),
  });
  const chunks = createChunkReader(events);
  for (const piece of pieces) chunks(Buffer.from(piece));
  return heard;
}

const STREAM = `${HEAD}${chunk("id: 7\nevent: begin\ndata: {}\n\n")}${chunk(": quiet\n\n")}${chunk(
  "id: 8\nevent: change\ndata: {}\n\nid: 9\nevent: change\ndata: {}\n\n",
)}`;
const HEARD = ["id 7", "begin", "quiet", "id 8", "change", "id 9", "change"];

test("events are read whole, whatever pieces they arrive in", () => {
  expect(read([STREAM])).toEqual(HEARD);
  expect(read(STREAM.split(""))).toEqual(HEARD);
});

test("an answer that is no stream has no events", () => {
  expect(read(["HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}"])).toEqual([]);
});

test("an event that was cut short is not heard", () => {
  expect(read([STREAM.slice(0, -12)])).toEqual(HEARD.slice(0, 3));
});

test("a daemon that accepts the connection and never answers does not keep a command waiting", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-follow-"));
  const socketPath = join(folder, "daemon.sock");
  const server = createServer(() => undefined).listen(socketPath);
  const follower = await followChanges({
    socketPath,
    home: folder,
    path: "/",
    headers: {},
    beginMaxMs: 1,
  });
  expect(await follower.changed()).toBe(true);
  follower.close();
  expect(await follower.changed()).toBe(false);
  server.close();
  rmSync(folder, { recursive: true });
});

test("where no daemon listens, a command is told to look for itself", async () => {
  const socketPath = "/nowhere/daemon.sock";
  const follower = await followChanges({ socketPath, home: "/nowhere", path: "/", headers: {} });
  expect(await follower.changed()).toBe(true);
  follower.close();
});

test("where no daemon listens, a journal that was written wakes the command again", async () => {
  const home = mkdtempSync(join(tmpdir(), "pawl-follow-"));
  const socketPath = join(home, "daemon.sock");
  const follower = await followChanges({ socketPath, home, path: "/", headers: {} });
  expect(await follower.changed()).toBe(true);
  const again = follower.changed();
  writeFileSync(join(home, "pawl.db-wal"), "a commit");
  expect(await again).toBe(true);
  follower.close();
  rmSync(home, { recursive: true });
});
