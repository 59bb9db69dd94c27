// A start that fails leaves nothing that would keep its process alive without a daemon.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PageLinkView } from "../../src/api/page.ts";
import { everyProject } from "../../src/daemon/host/factory.ts";
import { noLog } from "../../src/daemon/host/no-log.ts";
import { serveFactory } from "../../src/daemon/host/serve.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pawl-failed-start-"));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

test("a page that was opened during a start that fails is closed", async () => {
  let port: number | undefined;
  const served = serveFactory({
    home: join(root, "home"),
    runtime: join(root, "run"),
    version: "test",
    build: "test",
    log: noLog,
    scope: everyProject,
    register: root,
    onOpened: async (factory) => {
      factory.register = async () => {
        const answer = await factory.app.request("/v1/page/links", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ scope: "view" }),
        });
        port = Number(new URL(((await answer.json()) as PageLinkView).url).port);
        const socket = connect(port, "127.0.0.1");
        await once(socket, "connect");
        socket.destroy();
        throw new Error("no such start");
      };
    },
  });
  await expect(served).rejects.toThrow("no such start");
  await expect(once(connect(port ?? 0, "127.0.0.1"), "connect")).rejects.toMatchObject({
    code: "ECONNREFUSED",
  });
});
