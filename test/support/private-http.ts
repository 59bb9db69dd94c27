// A bare repository behind HTTP that asks for a header, as a private repository on a forge does. Git's
// "dumb" protocol needs no more than files.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";

export async function servePrivately(
  bare: string,
  authorization: string,
  /** So many requests are refused with every token, as a forge with a busy database does. */
  { busyFor = 0 } = {},
) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked <= busyFor || request.headers.authorization !== authorization) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="forge"' }).end();
      return;
    }
    const { pathname } = new URL(request.url ?? "/", "http://forge");
    const inside = normalize(pathname).replace(/^\/project\.git/, "");
    try {
      response.end(readFileSync(join(bare, inside)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
