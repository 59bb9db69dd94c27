// A door on loopback before a real forge: what goes through it is passed on as it is, and what is said to
// its API is held against its description. Git's own traffic streams through unread.
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { Watch } from "./watch.ts";

export type Door = { close: () => Promise<void> };

export async function openDoor(
  at: { port: number; to: number; api: string },
  watch: Watch,
): Promise<Door> {
  const server = createServer((request, response) => {
    const isApi = request.url?.startsWith(at.api) === true;
    pass(request, { response, to: at.to }, isApi ? watch : undefined);
  });
  // A connection that is kept must not be closed just when a client uses it again.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(at.port, "127.0.0.1", resolve));
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(
  request: IncomingMessage,
  { response, to }: { response: ServerResponse; to: number },
  watch: Watch | undefined,
): void {
  const { method = "GET", url: path = "/", headers } = request;
  const sent = collected(request, watch);
  const there = { host: "127.0.0.1", port: to, method, path, headers, agent: false as const };
  const inner = ask(there, (answer) => {
    const told = collected(answer, watch);
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
    answer.on("end", () =>
      watch?.saw(request, sent(), { status: answer.statusCode ?? 0, text: told() }),
    );
    answer.on("error", () => response.destroy());
  });
  // Either side may be killed at any moment: that is what crash tests do.
  inner.on("error", () => response.destroy());
  request.on("error", () => inner.destroy());
  response.on("close", () => inner.destroy());
  request.pipe(inner);
}

/** What has come by, as text; nothing where it is not watched. */
function collected(from: IncomingMessage, watch: Watch | undefined): () => string {
  const chunks: Buffer[] = [];
  if (watch !== undefined) from.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}
