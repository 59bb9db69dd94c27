import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { createHttpClient, type HttpClient, type HttpClientOptions } from "./http-client.ts";
import { createRateLimits } from "./http-rate-limit.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const TOKEN = "s3cr3t-t0ken";
const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Answer => {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
};

let server: ReturnType<typeof createServer>;
let answers: Answer[];
let seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
let waited: number[];
let now: number;

beforeEach(async () => {
  [answers, seen, waited, now] = [[], [], [], 1_000_000];
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body });
      // The last answer is given for ever.
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(request, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

function client(options: Partial<HttpClientOptions> = {}): HttpClient {
  const { port } = server.address() as AddressInfo;
  return createHttpClient({
    server: "the forge",
    baseUrl: `http://127.0.0.1:${port}/api/v1/`,
    headers: { authorization: `token ${TOKEN}` },
    access: "FORGE_TOKEN needs write:issue",
    secrets: [TOKEN],
    timeoutMs: 5000,
    now: () => now,
    wait: (ms) => {
      waited.push(ms);
      now += ms;
      return Promise.resolve();
    },
    ...options,
  });
}

const thing = z.object({ id: z.number() });
const read = { what: "read the thing", path: "/thing", schema: thing };
const make = { ...read, what: "make the thing", method: "POST" as const, body: { a: 1 } };

describe("a request", () => {
  test("goes below the base URL with the headers, the query and the body as JSON", async () => {
    answers = [json({ id: 7 }, 201)];
    const query = { page: 2, q: "a b&c", left: undefined };
    const answer = await client().ask({ ...make, query });
    expect(answer).toMatchObject({ kind: "ok", status: 201, body: { id: 7 } });
    expect(seen[0]).toMatchObject({
      method: "POST",
      url: "/api/v1/thing?page=2&q=a+b%26c",
      body: '{"a":1}',
      headers: { authorization: `token ${TOKEN}`, "content-type": "application/json" },
    });
  });

  test("may have an empty answer", async () => {
    answers = [(_, response) => response.writeHead(204).end()];
    const request = { ...read, method: "DELETE" as const, schema: z.undefined() };
    expect(await client().ask(request)).toMatchObject({ kind: "ok", status: 204 });
  });

  test("gets a refusal it expects as an answer", async () => {
    answers = [json({ message: "no such thing" }, 404)];
    const answer = await client().ask({ ...read, accept: [404] });
    expect(answer).toMatchObject({ kind: "refused", status: 404 });
  });
});

describe("trouble", () => {
  test("a server in trouble is asked again, a little later each time", async () => {
    answers = [json({}, 500), json({}, 502), json({ id: 1 })];
    expect(await client().get(read)).toEqual({ id: 1 });
    expect(waited).toEqual([250, 1000]);
  });

  test("a server that stays in trouble is asked three times", async () => {
    answers = [json({ message: "database is locked" }, 500)];
    await expect(client().get(read)).rejects.toMatchObject({
      code: "http-server-error",
      retryable: true,
      message: "cannot read the thing: the forge answered 500: database is locked",
    });
    expect(seen).toHaveLength(3);
  });

  test("a POST is not repeated: it may have been carried out", async () => {
    answers = [json({}, 500), json({ id: 1 })];
    await expect(client().ask(make)).rejects.toMatchObject({ retryable: true });
    expect(seen).toHaveLength(1);
    answers = [json({}, 500), json({ id: 1 })];
    const harmless = await client().ask({ ...make, repeatable: true });
    expect(harmless).toMatchObject({ body: { id: 1 } });
  });

  test("a connection that breaks off is tried again", async () => {
    answers = [(request) => request.socket.destroy(), json({ id: 1 })];
    expect(await client().get(read)).toEqual({ id: 1 });
  });

  test("a port without a server is an error that says so", async () => {
    const gone = client();
    server.closeAllConnections();
    server.close();
    await expect(gone.get(read)).rejects.toMatchObject({
      code: "http-unreachable",
      retryable: true,
      message: expect.stringContaining("cannot be reached (ECONNREFUSED)"),
    });
  });

  test("a server that never answers is given up after the time allowed", async () => {
    answers = [() => undefined];
    const attempt = client({ timeoutMs: 30 }).ask(make);
    await expect(attempt).rejects.toMatchObject({ code: "http-timeout", retryable: true });
  });

  test("a web page instead of JSON is recognised", async () => {
    const page: Answer = (_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<!DOCTYPE html><title>Log in");
    answers = [page];
    await expect(client().get(read)).rejects.toMatchObject({
      code: "http-html",
      message: expect.stringContaining("a web page instead of JSON"),
    });
  });

  test("an answer of another shape names the place", async () => {
    answers = [json({ id: "seven" })];
    await expect(client().get(read)).rejects.toMatchObject({
      code: "http-shape",
      retryable: false,
      message: expect.stringContaining("at id"),
    });
  });

  test("a redirect is not followed: the token stays here", async () => {
    answers = [json({}, 307, { location: "http://elsewhere.example/api/v1/thing" })];
    await expect(client().get(read)).rejects.toMatchObject({
      code: "http-moved",
      hint: expect.stringContaining("elsewhere.example"),
    });
    expect(seen).toHaveLength(1);
  });

  test.each([
    [401, "http-unauthorised"],
    [403, "http-forbidden"],
    [404, "not-found"],
  ])("%i names the token and what it needs", async (status, code) => {
    answers = [json({ message: "no" }, status)];
    const hint = expect.stringContaining("FORGE_TOKEN needs write:issue");
    await expect(client().get(read)).rejects.toMatchObject({ code, hint, retryable: false });
  });

  test("a token that is refused once is shown again, also with a change", async () => {
    answers = [json({ message: "token is required" }, 401), json({ id: 1 })];
    expect(await client().ask(make)).toMatchObject({ body: { id: 1 } });
    expect(waited).toEqual([250]);
  });

  test("a token that the server repeats is not shown", async () => {
    answers = [json({ message: `bad token ${TOKEN}` }, 401)];
    const failure = await client()
      .get(read)
      .catch((error: unknown) => error);
    expect(String(failure)).toContain("[redacted]");
    expect(JSON.stringify(failure) + String(failure)).not.toContain(TOKEN);
  });
});

describe("the rate limit", () => {
  test("a short wait is waited for", async () => {
    answers = [json({}, 429, { "retry-after": "2" }), json({ id: 1 })];
    expect(await client().ask(make)).toMatchObject({ body: { id: 1 } });
    expect(waited).toEqual([2000]);
  });

  test("during a long one nothing is sent", async () => {
    answers = [json({}, 429, { "retry-after": "120" }), json({ id: 1 })];
    const limited = { code: "http-rate-limited", retryable: true };
    const one = client();
    await expect(one.get(read)).rejects.toMatchObject(limited);
    await expect(one.get(read)).rejects.toMatchObject({ ...limited, hint: /120 s/ });
    expect(seen).toHaveLength(1);
    now += 120_000;
    expect(await one.get(read)).toEqual({ id: 1 });
  });

  test("a budget that is used up is kept until it is filled again", async () => {
    const used = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 + 600) };
    answers = [json({ id: 1 }, 200, used)];
    const one = client();
    expect(await one.get(read)).toEqual({ id: 1 });
    await expect(one.get(read)).rejects.toMatchObject({ code: "http-rate-limited" });
    expect(seen).toHaveLength(1);
  });
});

describe("projects that share an account", () => {
  const sharing = () => {
    const limits = createRateLimits(() => now);
    return (token: string) => client({ rateLimit: limits("http://forge.test/team", token) });
  };

  test("while one is told to wait, the other sends nothing either", async () => {
    answers = [json({}, 429, { "retry-after": "120" }), json({ id: 1 })];
    const of = sharing();
    const other = of("a");
    await expect(of("a").get(read)).rejects.toMatchObject({ code: "http-rate-limited" });
    await expect(other.get(read)).rejects.toMatchObject({ hint: /120 s/ });
    expect(seen).toHaveLength(1);
    // Another account is not told to wait.
    expect(await of("b").get(read)).toEqual({ id: 1 });
  });

  test("requests under way count: together they never ask for more than is left", async () => {
    const left = { "x-ratelimit-remaining": "2", "x-ratelimit-reset": String(now / 1000 + 600) };
    answers = [json({ id: 1 }, 200, left)];
    const of = sharing();
    expect(await of("a").get(read)).toEqual({ id: 1 });
    const held: ServerResponse[] = [];
    answers = [(_, response) => void held.push(response)];
    const both = [of("a").get(read), of("a").get(read)];
    await expect(of("a").get(read)).rejects.toMatchObject({ code: "http-rate-limited" });
    await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 20_000 });
    for (const response of held) response.end(JSON.stringify({ id: 2 }));
    expect(await Promise.all(both)).toEqual([{ id: 2 }, { id: 2 }]);
    expect(seen).toHaveLength(3);
  });
});

describe("lists and repeated questions", () => {
  const things = { what: "list things", path: "/things", schema: z.array(thing) };

  test("a list is read to its end, on the server it was asked of", async () => {
    const next = (page: number) => ({
      link: `<http://proxy.example/api/v1/things?page=${page}&limit=2>; rel="next",<http://x/?page=9>; rel="last"`,
    });
    answers = [
      json([{ id: 1 }, { id: 2 }], 200, next(2)),
      json([{ id: 3 }, { id: 4 }], 200, next(3)),
      json([{ id: 5 }], 200, { link: '<http://x/?page=1>; rel="first"' }),
    ];
    const all = await client().list({ ...things, query: { limit: 2 } });
    expect(all.map((one) => one.id)).toEqual([1, 2, 3, 4, 5]);
    expect(seen.map((one) => one.url.split("?")[1])).toEqual([
      "limit=2",
      "page=2&limit=2",
      "page=3&limit=2",
    ]);
  });

  test("a list without end is refused", async () => {
    answers = [json([], 200, { link: '</things?page=2>; rel="next"' })];
    await expect(client().list(things)).rejects.toMatchObject({ code: "http-too-much" });
  });

  test("what has not changed is not sent again", async () => {
    const unchanged: Answer = (_, response) => response.writeHead(304).end();
    answers = [json({ id: 1 }, 200, { etag: '"v1"' }), unchanged];
    const one = client();
    expect(await one.get(read)).toEqual({ id: 1 });
    expect(await one.get(read)).toEqual({ id: 1 });
    expect(seen[1]?.headers["if-none-match"]).toBe('"v1"');
    expect(one.spent()).toEqual({ requests: 2, unchanged: 1 });
  });
});
