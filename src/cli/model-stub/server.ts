// A stub of the Messages API on loopback: enough for the real Claude Code, without an account. It
// runs no model; prompts carry directives that say what to answer (script.ts).
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelRequest } from "./conversation.ts";
import { decide, type Failure, type Reply } from "./script.ts";
import { sendFailure, sendStream, sendWhole } from "./stream.ts";

const BODY_MAX_BYTES = 64 * 1024 * 1024;

export type SeenRequest = { at: number; session: string | undefined; body: ModelRequest };

export type ModelStub = {
  url: string;
  /** Every request for a message so far, oldest first. */
  requests: SeenRequest[];
  /** What was decided for each of them. */
  replies: Reply[];
  /** While set, every request fails with it. */
  failing: Failure | undefined;
  close(): Promise<void>;
};

export async function startModelStub(): Promise<ModelStub> {
  const once = new Set<string>();
  const stub: ModelStub = {
    url: "",
    requests: [],
    replies: [],
    failing: undefined,
    close: async () => {},
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendFailure(response, failure(500, String(error)));
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const path = new URL(request.url ?? "/", "http://stub").pathname;
    if (path === "/v1/messages/count_tokens") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ input_tokens: Math.ceil(text.length / 4) }));
      return;
    }
    if (request.method !== "POST" || path !== "/v1/messages") {
      sendFailure(response, failure(404, `the stub does not serve ${path}`));
      return;
    }
    const body = JSON.parse(text) as ModelRequest;
    const session = request.headers["x-claude-code-session-id"];
    stub.requests.push({
      at: Date.now(),
      session: typeof session === "string" ? session : undefined,
      body,
    });
    const reply = decide(body, once);
    stub.replies.push(reply);
    const failed = stub.failing ?? reply.failure;
    if (failed !== undefined) sendFailure(response, failed);
    else if (body.stream === true) await sendStream(response, reply, body.model);
    else await sendWhole(response, reply, body.model);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stub.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return stub;
}

const failure = (status: number, message: string): Failure => ({
  status,
  type: status === 404 ? "not_found_error" : "api_error",
  message,
  headers: {},
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_MAX_BYTES) throw new Error(`a request of more than ${BODY_MAX_BYTES} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
