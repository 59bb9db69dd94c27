// A fake Gitea over real HTTP: stateful, with the answers of the real one (the same contract suite
// runs against both), and able to fail in the ways real servers do. Two accounts, one repository. Every
// request and every answer is held against Gitea's own API description; `close` throws where one is not
// as described.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as shape from "../../../src/adapters/forge-gitea/shapes.ts";
import { account, comment } from "../../../src/adapters/shared/forge/shapes.ts";
import { apiDescription } from "../api-description/load.ts";
import { namesRead } from "../api-description/names-read.ts";
import { watchExchanges } from "../api-description/watch.ts";
import { answer, type Reply } from "./routes.ts";
import { FakeState } from "./state.ts";

export const DEV_TOKEN = "dev-token-0123456789";
export const REVIEW_TOKEN = "review-token-0123456789";
/** The owner of the repository: a person, whose words count. */
export const OWNER_TOKEN = "owner-token-0123456789";
/** An account that may comment and nothing else. */
export const STRANGER_TOKEN = "stranger-token-0123456789";
const LOGINS = new Map([
  [STRANGER_TOKEN, "stranger"],
  [OWNER_TOKEN, "team"],
  [DEV_TOKEN, "pawl-dev"],
  [REVIEW_TOKEN, "pawl-review"],
]);

/**
 * `renamed`: there is no such repository; `moved`: it is elsewhere.
 * `slow`: what was asked is done, and answered when `release` says so, or never; `unheard`: so are
 * changes only. `late`: what was asked is done, and the connection breaks instead of an answer.
 */
export type Fault =
  | "renamed"
  | "moved"
  | "down"
  | "500"
  | "429"
  | "html"
  | "slow"
  | "unheard"
  | "late"
  | undefined;

const READ = namesRead([...Object.values(shape), account, comment]);

export type FakeGitea = Awaited<ReturnType<typeof startFakeGitea>>;

export async function startFakeGitea(bare: string) {
  const state = new FakeState(bare);
  const seen: string[] = [];
  const watch = watchExchanges(apiDescription("Gitea"), { base: "/api/v1", read: READ });
  // Forgejo has the same API and describes it itself: what Pawl asks must make sense there too.
  const forgejo = watchExchanges(apiDescription("Forgejo"), { base: "/api/v1" });
  let fault: Fault;
  let retryAfterS = 1;
  let distorted = (body: unknown, _path: string): unknown => body;
  let held: (() => void)[] = [];
  let waiting: RegExp | undefined;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url}`);
      const work = (): Reply => {
        const given = watch.held(request, text, serve(state, request, text));
        forgejo.asked(request, text, given);
        return given.status === 200
          ? { ...given, body: distorted(given.body, request.url ?? "") }
          : given;
      };
      const isHeld = fault === "slow" || (fault === "unheard" && request.method !== "GET");
      if (waiting?.test(seen.at(-1) ?? "") === true) held.push(() => reply(response, work()));
      else if (isHeld) {
        const answer = work();
        held.push(() => reply(response, answer));
      } else if (fault === undefined || fault === "unheard") reply(response, work());
      else misbehave({ fault, request, response, retryAfterS }, work);
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
    /** `retryAfterS`: how long a 429 asks to wait. */
    fail(next: Fault, more: { retryAfterS?: number } = {}): void {
      fault = next;
      retryAfterS = more.retryAfterS ?? 1;
    },
    /** From now on, what it answers is no longer what its API describes. */
    distort(next: (body: unknown, path: string) => unknown): void {
      distorted = next;
    },
    /** Requests like this wait: they are looked into only when they are released. */
    hold(next: RegExp | undefined): void {
      waiting = next;
    },
    held: (): number => held.length,
    /** Answers everything that was asked while it was slow; how much that was. */
    release(): number {
      const due = held;
      held = [];
      for (const answer of due) answer();
      return due.length;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      watch.end();
      forgejo.end();
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
  at: {
    fault: NonNullable<Fault>;
    request: IncomingMessage;
    response: ServerResponse;
    retryAfterS: number;
  },
  work: () => Reply,
): void {
  const { fault, request, response } = at;
  const location = "http://elsewhere.example/api/v1/repositories/7";
  if (fault === "renamed") reply(response, { status: 404, body: { message: "not found" } });
  else if (fault === "moved") reply(response, { status: 301, headers: { location } });
  else if (fault === "500")
    reply(response, { status: 500, body: { message: "database is locked" } });
  else if (fault === "429")
    reply(response, { status: 429, headers: { "retry-after": String(at.retryAfterS) } });
  else if (fault === "html") {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!DOCTYPE html><html><title>Under maintenance</title></html>");
  } else if (fault === "late") {
    work();
    request.socket.destroy();
  } else if (fault === "down") request.socket.destroy();
}
