// A fake GitHub over real HTTP, after its REST documentation: paging by Link, ETags whose 304 costs
// no rate limit, primary and secondary rate limits, and fine-grained tokens that lack a permission.
// Two accounts, one repository, and the API below /api/v3 as on an Enterprise Server. Every request and
// every answer is held against GitHub's own API description; `close` throws where one is not as described.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as shape from "../../../src/adapters/forge-github/shapes.ts";
import { account, comment } from "../../../src/adapters/shared/forge/shapes.ts";
import { apiDescription } from "../api-description/load.ts";
import { namesRead } from "../api-description/names-read.ts";
import { watchExchanges } from "../api-description/watch.ts";
import { answer, type Reply } from "./routes.ts";
import { shownAccount } from "./shown.ts";
import { FakeGithubState } from "./state.ts";

export const GITHUB_DEV = "github_pat_dev_0123456789";
export const GITHUB_REVIEW = "github_pat_review_0123456789";
/** Of an account that may read, comment and review, and nothing else. */
export const GITHUB_STRANGER = "github_pat_stranger_0123456789";
/** A classic token: it has scopes, and every answer says which ("Scopes for OAuth apps"). */
export const GITHUB_CLASSIC = "ghp_classic0123456789";
const LOGINS = new Map([
  [GITHUB_DEV, "pawl-dev"],
  [GITHUB_REVIEW, "pawl-review"],
  [GITHUB_CLASSIC, "pawl-dev"],
  [GITHUB_STRANGER, "stranger"],
]);

/** `late`: the next change is done, and the connection breaks instead of an answer; once. */
export type GithubFault = "late" | "primary" | "secondary" | "secondary-bare" | "500" | undefined;
export type FakeGithub = Awaited<ReturnType<typeof startFakeGithub>>;

const READ = namesRead([...Object.values(shape), account, comment]);
const LIMIT = 5000;
const RESET_S = 2;

export async function startFakeGithub(bare: string) {
  const state = new FakeGithubState(bare);
  const seen: string[] = [];
  /** Permissions that the tokens lack, as GitHub names them: `issues=write`. */
  const lacks = new Set<string>();
  const classic = { scopes: "repo" };
  const at = { used: 0, unchanged: 0, fault: undefined as GithubFault };
  let distorted = (body: unknown, _path: string): unknown => body;
  const watch = watchExchanges(apiDescription("GitHub"), { base: "/api/v3", read: READ });

  function serve(request: IncomingMessage, text: string): Reply {
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const login = LOGINS.get(token);
    if (login === undefined) return { status: 401, body: { message: "Bad credentials" } };
    const url = new URL(request.url ?? "/", "http://fake");
    const path = url.pathname.replace(/^\/api\/v3/, "");
    const method = request.method ?? "GET";
    // "Get the authenticated user" needs no permission.
    const scoped = token === GITHUB_CLASSIC ? { "x-oauth-scopes": classic.scopes } : {};
    if (path === "/user") return { status: 200, body: shownAccount(login), headers: scoped };
    const inRepo = /^\/repos\/team\/project(?<rest>(?:\/.*)?)$/.exec(path)?.groups?.["rest"];
    if (inRepo === undefined) return { status: 404, body: { message: "Not Found" } };
    const needed = permissionOf(method, inRepo);
    if (lacks.has(needed)) return forbidden(needed);
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    return paged(
      answer(state, { method, path: inRepo, query: url.searchParams, body, login }),
      url,
    );
  }

  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      seen.push(`${request.method} ${request.url}`);
      if (at.fault === "late" && request.method !== "GET") {
        at.fault = undefined;
        watch.held(request, text, serve(request, text));
        request.socket.destroy();
        return;
      }
      const fault = faultOf(at.fault);
      const given = watch.held(request, text, fault ?? serve(request, text));
      const isGood = given.status === 200;
      reply(
        request,
        response,
        isGood ? { ...given, body: distorted(given.body, request.url ?? "") } : given,
        at,
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    state,
    seen,
    lacks,
    classic,
    /** `used`: what counted against the rate limit. */
    at,
    /** From now on, what it answers is no longer what its API describes. */
    distort(next: (body: unknown, path: string) => unknown): void {
      distorted = next;
    },
    fail(next: GithubFault): void {
      at.fault = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      watch.end();
    },
  };
}

function faultOf(fault: GithubFault): Reply | undefined {
  const reset = String(Math.floor(Date.now() / 1000) + RESET_S);
  switch (fault) {
    case "primary":
      return {
        status: 403,
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
        body: { message: "API rate limit exceeded for user ID 1." },
      };
    case "secondary":
      return {
        status: 429,
        headers: { "retry-after": "1" },
        body: { message: "You have exceeded a secondary rate limit." },
      };
    case "secondary-bare":
      return { status: 403, body: { message: "You have exceeded a secondary rate limit." } };
    case "500":
      return { status: 500, body: { message: "Server Error" } };
    case "late":
    case undefined:
      return undefined;
  }
}

function permissionOf(method: string, path: string): string {
  const access = method === "GET" ? "read" : "write";
  if (path.startsWith("/pulls") && !path.endsWith("/merge")) return `pull_requests=${access}`;
  if (/\/check-(?:runs|suites)/.test(path)) return `checks=${access}`;
  if (/^\/statuses\/|\/status$/.test(path)) return `statuses=${access}`;
  // "Get a repository" and the rules of a branch need Metadata (read), which every token has.
  if (path === "" || /^\/(?:rules|collaborators)\//.test(path)) return "metadata=read";
  if (path.endsWith("/protection/required_status_checks")) return "administration=read";
  // "Merge a pull request" needs Contents (write), although it is below pulls.
  if (path.endsWith("/merge")) return "contents=write";
  return /^\/(branches|git)\//.test(path) ? `contents=${access}` : `issues=${access}`;
}

const forbidden = (needed: string): Reply => ({
  status: 403,
  headers: { "x-accepted-github-permissions": needed },
  body: { message: "Resource not accessible by personal access token", status: "403" },
});

function paged(given: Reply, url: URL): Reply {
  if (given.list === undefined) return given;
  const perPage = Math.min(Number(url.searchParams.get("per_page") ?? 30), 100);
  const page = Number(url.searchParams.get("page") ?? 1);
  const from = (page - 1) * perPage;
  const shown = given.list.slice(from, from + perPage);
  const next = new URL(url);
  next.searchParams.set("page", String(page + 1));
  const isLast = from + perPage >= given.list.length;
  return {
    status: given.status,
    body: given.wrap?.(shown) ?? shown,
    ...(isLast ? {} : { headers: { link: `<${next.href}>; rel="next"` } }),
  };
}

function reply(
  request: IncomingMessage,
  response: ServerResponse,
  ...[given, at]: [Reply, { used: number; unchanged: number }]
): void {
  const text = given.body === undefined ? "" : JSON.stringify(given.body);
  const etag = `W/"${createHash("sha256").update(text).digest("hex")}"`;
  const isRead = request.method === "GET" && given.status === 200;
  const isSame = isRead && request.headers["if-none-match"] === etag;
  if (isSame) at.unchanged += 1;
  else at.used += 1;
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "x-ratelimit-limit": String(LIMIT),
    "x-ratelimit-remaining": String(LIMIT - at.used),
    ...(isRead && { etag }),
    ...given.headers,
  };
  response.writeHead(isSame ? 304 : given.status, headers);
  response.end(isSame ? undefined : text);
}
