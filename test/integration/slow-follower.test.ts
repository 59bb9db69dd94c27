// A follower of the change feed that does not read, over a real socket: nothing is kept in memory for
// it, and when it reads on, it is told that it missed something.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { announcing, ChangeFeed } from "../../src/daemon/publishing/change-feed.ts";
import { addChanges } from "../../src/daemon/routes/changes.ts";
import type { Routes } from "../../src/daemon/routes/context.ts";
import { createMemoryStore } from "../../src/store/memory.ts";

const KEPT = 500;
const COMMITS = 40_000;
/** The buffer of a socket and a page of the feed; a tenth of what was committed. */
const WAITING_MAX_BYTES = 256 * 1024;

async function serveFeed() {
  const folder = mkdtempSync("/tmp/pawl-slow-follower-");
  const feed = new ChangeFeed();
  const store = announcing(createMemoryStore(KEPT), feed);
  const app = new Hono();
  addChanges(app, { feed, store } as unknown as Routes);
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => void answer(request, response));
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  const path = join(folder, "feed.sock");
  server.listen(path);
  await once(server, "listening");
  return {
    path,
    feed,
    commit: (count: number) =>
      store.transaction((tx) => tx.records.put("c", "k", { count, text: "x".repeat(10) })),
    /** What the daemon holds for its followers. */
    waitingBytes: () => Math.max(0, ...sockets.map(({ writableLength }) => writableLength)),
    [Symbol.asyncDispose]: async () => {
      feed.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test("a follower that does not read costs the daemon no memory, and is given a reset when it reads on", async () => {
  await using served = await serveFeed();
  const follower = connect(served.path);
  await once(follower, "connect");
  follower.pause();
  follower.write("GET /v1/changes?after=0 HTTP/1.1\r\nhost: pawl\r\n\r\n");
  let most = 0;
  for (let count = 1; count <= COMMITS; count += 1) {
    await served.commit(count);
    // The server writes between commits, as it does in a daemon.
    if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, served.waitingBytes());
  }
  expect(most).toBeLessThan(WAITING_MAX_BYTES);
  expect(served.feed.followers).toBe(0);

  let text = "";
  follower.on("data", (part: Buffer) => (text += part.toString()));
  follower.resume();
  await expect.poll(() => text.includes(`"seq":${COMMITS},"why"`)).toBe(true);
  await served.commit(COMMITS + 1);
  await expect.poll(() => text.includes(`id: ${COMMITS + 1}\n`)).toBe(true);
  follower.destroy();
});
