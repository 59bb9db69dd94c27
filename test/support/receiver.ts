// A web server of its own for a test: keeps what it is sent, and answers as it is told.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
};

/** `answer`: the status for a path; "hang-up" takes the request and closes without a word. */
export async function startReceiver(
  answer: (path: string) => number | "hang-up" = () => 200,
): Promise<{ url: string; received: Received[]; [Symbol.asyncDispose](): Promise<void> }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const path = request.url ?? "";
      const text = Buffer.concat(parts).toString("utf8");
      received.push({ method: request.method ?? "", path, headers: request.headers, text });
      const status = answer(path);
      if (status === "hang-up") request.socket.destroy();
      else response.writeHead(status).end(`said ${status}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
