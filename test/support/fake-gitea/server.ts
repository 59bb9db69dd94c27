// A fake Gitea over real HTTP: stateful, with the answers of the real one (the same contract suite
// runs against both), and able to fail in the ways real servers do. Two accounts, one repository.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answer, type Reply } from "./routes.ts";
import { FakeState } from "./state.ts";

export const DEV_TOKEN = "dev-token-0123456789";
export const REVIEW_TOKEN = "review-token-0123456789";
/** The owner of the repository: a person, whose words count. */
export const OWNER_TOKEN = "owner-token-0123456789";
const LOGINS = new Map([
  [OWNER_TOKEN, "team"],
  [DEV_TOKEN, "pawl-dev"],
  [REVIEW_TOKEN, "pawl-review"],
]);

/** `late`: what was asked is done, and its answer never comes. */
export type Fault = "down" | "500" | "429" | "html" | "slow" | "late" | undefined;

export type FakeGitea = Awaited<ReturnType<typeof startFakeGitea>>;

export async function startFakeGitea(bare: string) {
  const state = new FakeState(bare);
  const seen: string[] = [];
  let fault: Fault;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url}`);
      if (fault === undefined) reply(response, serve(state, request, text));
      else misbehave({ fault, request, response }, () => serve(state, request, text));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    state,
    /** Every request so far. */
    seen,
    fail(next: Fault): void {
      fault = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function serve(state: FakeState, request: IncomingMessage, text: string): Reply {
  const url = new URL(request.url ?? "/", "http://fake");
  const token = request.headers.authorization?.replace(/^token /, "") ?? "";
  const login = LOGINS.get(token);
  if (login === undefined) {
    return { status: 401, body: { message: "user does not exist [uid: 0, name: ]" } };
  }
  const path = url.pathname.replace(/^\/api\/v1/, "");
  if (path === "/user") return { status: 200, body: { login } };
  if (path === "/version") return { status: 200, body: { version: "1.27.3" } };
  const inRepo = /^\/repos\/team\/project(?<rest>.*)$/.exec(path)?.groups?.["rest"];
  if (inRepo === undefined) return { status: 404, body: { message: "not found" } };
  const body: unknown = text === "" ? {} : JSON.parse(text);
  const method = request.method ?? "GET";
  return answer(state, { method, path: inRepo, query: url.searchParams, body, login });
}

function reply(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

function misbehave(
  at: { fault: NonNullable<Fault>; request: IncomingMessage; response: ServerResponse },
  work: () => Reply,
): void {
  const { fault, request, response } = at;
  if (fault === "500") reply(response, { status: 500, body: { message: "database is locked" } });
  else if (fault === "429") reply(response, { status: 429, headers: { "retry-after": "1" } });
  else if (fault === "html") {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!DOCTYPE html><html><title>Under maintenance</title></html>");
  } else if (fault === "late") {
    work();
    request.socket.destroy();
  } else if (fault === "down") request.socket.destroy();
}
