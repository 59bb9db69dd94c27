import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { Rpc } from "./rpc.ts";

test("a caller has its answer before a message that arrives together with it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-rpc-"));
  const path = join(folder, "s");
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  onTestFinished(() => {
    server.close();
    http.close();
    rmSync(folder, { recursive: true });
  });
  server.on("connection", (client, { socket }) => {
    client.on("message", () => {
      socket.cork();
      client.send(JSON.stringify({ id: 1, result: {} }));
      client.send(JSON.stringify({ method: "turn/completed", params: {} }));
      socket.uncork();
    });
  });
  http.listen(path);
  await once(http, "listening");
  const heard: string[] = [];
  const told = Promise.withResolvers<void>();
  const rpc = await Rpc.connect(path, ({ method }) => {
    heard.push(method);
    told.resolve();
  });
  await rpc
    ?.call("turn/interrupt", { threadId: "t", turnId: "u" })
    .then(() => heard.push("answer"));
  await told.promise;
  rpc?.close();
  expect(heard).toEqual(["answer", "turn/completed"]);
});
