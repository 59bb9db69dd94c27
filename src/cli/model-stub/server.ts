// A stub of the APIs of models on loopback: enough for the real programs, without an account. It runs
// no model; prompts carry directives that say what to answer (script.ts).
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelRequest } from "./conversation.ts";
import { sendJson, type Dialect } from "./dialect.ts";
import { GEMINI } from "./gemini.ts";
import { RESPONSES } from "./responses.ts";
import { decide, type Failure, type Reply } from "./script.ts";
import { inOfferedWords } from "./shell-tool.ts";
import { MESSAGES } from "./stream.ts";

const DIALECTS: readonly Dialect[] = [MESSAGES, RESPONSES, GEMINI];
const BODY_MAX_BYTES = 64 * 1024 * 1024;

export type SeenRequest = { at: number; session: string | undefined; body: ModelRequest };

export type ModelStub = {
  url: string;
  /** Every request for a message so far, oldest first. */
  requests: SeenRequest[];
  /** The key or token that came with each of them. */
  keys: (string | undefined)[];
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
    keys: [],
    replies: [],
    failing: undefined,
    close: async () => {},
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else MESSAGES.fail(response, failure(500, String(error)));
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const path = new URL(request.url ?? "/", "http://stub").pathname;
    if (sendErrand(response, path, text)) return;
    const dialect = DIALECTS.find((one) => one.isAsked(path));
    if (request.method !== "POST" || dialect === undefined) {
      MESSAGES.fail(response, failure(404, `the stub does not serve ${path}`));
      return;
    }
    const body = dialect.read(text, path);
    const session = request.headers["x-claude-code-session-id"];
    stub.requests.push({
      at: Date.now(),
      session: typeof session === "string" ? session : undefined,
      body,
    });
    stub.keys.push(keyOf(request));
    const reply = inOfferedWords(decide(body, once), body);
    stub.replies.push(reply);
    const failed = stub.failing ?? reply.failure;
    if (failed !== undefined) dialect.fail(response, failed);
    else await dialect.send(response, reply, body);
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

/** What programs ask besides replies; true where this was such a question. */
function sendErrand(response: ServerResponse, path: string, text: string): boolean {
  const tokens = Math.ceil(text.length / 4);
  if (path === "/v1/messages/count_tokens") sendJson(response, { input_tokens: tokens });
  else if (path.endsWith(":countTokens")) sendJson(response, { totalTokens: tokens });
  else if (path.endsWith("/models")) sendJson(response, { object: "list", data: [], models: [] });
  else return false;
  return true;
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers["x-api-key"] ?? headers["x-goog-api-key"];
  return typeof key === "string" ? key : headers.authorization?.replace(/^Bearer /, "");
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
