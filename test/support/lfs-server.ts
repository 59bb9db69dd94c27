// A Git LFS server of a few lines: the batch API with the basic transfer, over loopback. It keeps
// its objects in memory and remembers who asked.
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** `.ci/run` installs it; where it cannot, the tests that need it are skipped, and vitest says so. */
export const HAS_LFS = spawnSync("git", ["lfs", "version"]).status === 0;

type Batch = { operation: "download" | "upload"; objects: { oid: string; size: number }[] };

export async function lfsServer() {
  const objects = new Map<string, Buffer>();
  const authorizations = new Set<string>();
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => {
        response.writeHead(status, { "content-type": "application/vnd.git-lfs+json" }).end(body);
      },
      (error: Error) => response.destroy(error),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(
    request: IncomingMessage,
  ): Promise<{ status: number; body: string | Buffer }> {
    const body = Buffer.concat(await request.toArray());
    authorizations.add(request.headers.authorization ?? "none");
    const oid = (request.url ?? "").split("/").at(-1) ?? "";
    if (request.url === "/objects/batch")
      return { status: 200, body: batch(JSON.parse(String(body))) };
    if (request.method === "GET") {
      const found = objects.get(oid);
      return found === undefined ? { status: 404, body: "" } : { status: 200, body: found };
    }
    if (request.method !== "PUT") return { status: 404, body: "{}" };
    const isWhole = createHash("sha256").update(body).digest("hex") === oid;
    if (isWhole) objects.set(oid, body);
    return { status: isWhole ? 200 : 422, body: "" };
  }

  function batch({ operation, objects: wanted }: Batch): string {
    const told = wanted.map(({ oid, size }) => {
      const isThere = objects.has(oid);
      const actions = { [operation]: { href: `${url}/object/${oid}` } };
      if (operation === "upload") return isThere ? { oid, size } : { oid, size, actions };
      return isThere
        ? { oid, size, actions }
        : { oid, size, error: { code: 404, message: "Object does not exist" } };
    });
    return JSON.stringify({ transfer: "basic", objects: told });
  }

  return {
    url,
    objects,
    authorizations,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export const oidOf = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");
