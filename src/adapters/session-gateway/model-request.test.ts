import { expect, test } from "vitest";
import type { ModelKey } from "../../ports/session-gateway.ts";
import { limitEnd, limitReason } from "./limit-in-answer.ts";
import { headersFor, isOwn, readAsked, routeOf, unseen } from "./model-request.ts";

const key = (name: string, provider: ModelKey["provider"]): ModelKey => ({
  name,
  provider,
  url: undefined,
  secret: "sk-real",
});
const KEYS = [key("work", "anthropic"), key("openai", "openai"), key("gemini", "gemini")];
const at = (path: string): URL => new URL(path, "http://gateway");

test.each([
  ["POST", "/work/v1/messages?beta=true", { path: "/v1/messages?beta=true", asks: true }],
  ["POST", "/work/v1/messages/count_tokens", { path: "/v1/messages/count_tokens", asks: false }],
  ["GET", "/openai/v1/models", { path: "/v1/models", asks: false }],
  [
    "POST",
    "/gemini/v1beta/models/g-1:countTokens",
    { path: "/v1beta/models/g-1:countTokens", asks: false },
  ],
  ["POST", "/openai/v1/responses", { path: "/v1/responses", asks: true }],
  ["POST", "/openai/v1/chat/completions", { path: "/v1/chat/completions", asks: true }],
  [
    "POST",
    "/gemini/v1beta/models/g-1:streamGenerateContent?alt=sse&key=token",
    { path: "/v1beta/models/g-1:streamGenerateContent?alt=sse", asks: true },
  ],
])("%s %s is passed on", (method, path, expected) => {
  expect(routeOf(at(path), { method, keys: KEYS })).toMatchObject(expected);
});

test.each([
  ["GET", "/work/v1/messages"],
  ["POST", "/work/v1/messages/batches"],
  ["DELETE", "/openai/v1/models/ft:own"],
  ["POST", "/work/v1/models"],
  ["PATCH", "/gemini/v1beta/models/g-1"],
  ["POST", "/work/v1/messages/../files"],
  ["POST", "/work/v1/organizations/api_keys"],
  ["POST", "/other/v1/messages"],
  ["POST", "/v1/messages"],
  ["POST", "/openai/v1/batches"],
  ["POST", "/openai/v1/images/generations"],
  ["POST", "/gemini/v1beta/models/g-1:batchGenerateContent"],
  ["POST", "/gemini/upload/v1beta/files"],
])("%s %s is refused", (method, path) => {
  expect(routeOf(at(path), { method, keys: KEYS })).toBeUndefined();
});

test.each([
  [{ authorization: "Bearer token" }, ""],
  [{ "x-api-key": "token" }, ""],
  [{ "x-goog-api-key": "token" }, ""],
  [{}, "?key=token"],
])("the token is found in %j%s", (headers, query) => {
  expect(isOwn(at(`/work${query}`), headers, "token")).toBe(true);
});

test.each([{}, { authorization: "Bearer tokem" }, { authorization: "token" }, { "x-api-key": "" }])(
  "a request with %j is a stranger's",
  (headers) => {
    expect(isOwn(at("/work"), headers, "token")).toBe(false);
  },
);

test("the key replaces the token, and what belongs to one connection stays behind", () => {
  const route = routeOf(at("/work/v1/messages"), { method: "POST", keys: KEYS });
  if (route === undefined) throw new Error("no route");
  const headers = {
    authorization: "Bearer token",
    "x-api-key": "token",
    host: "127.0.0.1:3129",
    "accept-encoding": "gzip",
    "anthropic-beta": "x",
    "x-http-method-override": "DELETE",
  };
  expect(headersFor(route, headers, 7)).toEqual({
    "x-api-key": "sk-real",
    "accept-encoding": "identity",
    "anthropic-beta": "x",
    "content-length": "7",
  });
});

test("a request may use all that it sends and all that it allows as an answer", () => {
  const body = Buffer.from(JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 1000 }));
  const asked = readAsked({ path: "/v1/messages", key: { provider: "anthropic" } }, body);
  expect(asked).toMatchObject({ model: "claude-sonnet-4-5", body });
  expect(asked.most.tokens).toBe(Math.ceil(body.length / 2) + 1000);
  expect(asked.most.usd).toBeGreaterThan(0.015);
});

test.each([
  [{ max_tokens: 10, max_output_tokens: 1000 }, 1000],
  [{ max_tokens: 100, n: 8 }, 800],
  [{ generationConfig: { maxOutputTokens: 100, candidateCount: 4 } }, 400],
  [{ max_tokens: -1 }, 64_000],
])("%j allows an answer of %d tokens", (fields, tokens) => {
  const body = Buffer.from(JSON.stringify({ model: "m", ...fields }));
  const asked = readAsked({ path: "/v1/messages", key: { provider: "openai" } }, body);
  expect(asked.most.tokens).toBe(Math.ceil(body.length / 2) + tokens);
});

test.each([
  ["compressed", { "content-encoding": "gzip" }, "{}"],
  ["no JSON", {}, "\ufeff{}"],
  ["no object", {}, "[]"],
  ["answered later", {}, '{"background":true}'],
])("a request that is %s is not passed on", (_, headers, body) => {
  expect(unseen(headers, Buffer.from(body))).toMatch(/^Pawl's gateway passes on/);
});

test("a request in plain JSON is passed on", () => {
  expect(unseen({ "content-encoding": "identity" }, Buffer.from('{"a":1}'))).toBeUndefined();
});

test("what a request may cost is counted by the user's own prices", () => {
  const body = Buffer.from(JSON.stringify({ model: "own-model", max_tokens: 1000 }));
  const route = { path: "/v1/messages", key: { provider: "anthropic" } } as const;
  expect(readAsked(route, body).most.usd).toBe(0);
  const prices = { own: { input: 0, output: 100, cacheRead: 0, cacheWrite: 0 } };
  expect(readAsked(route, body, prices).most.usd).toBeCloseTo(0.1);
});

test("a stream of Chat is asked what it has used, and nothing else of it is changed", () => {
  const body = { model: "m", stream: true, stream_options: { other: 1 }, messages: [] };
  const asked = readAsked(
    { path: "/v1/chat/completions", key: { provider: "openai" } },
    Buffer.from(JSON.stringify(body)),
  );
  expect(JSON.parse(asked.body.toString("utf8"))).toEqual({
    ...body,
    stream_options: { other: 1, include_usage: true },
  });
});

const AT = 1_000_000;
const FULL = {
  "x-ratelimit-remaining-requests": "0",
  "x-ratelimit-reset-requests": "6m0s",
  "x-ratelimit-remaining-tokens": "120",
  "x-ratelimit-reset-tokens": "1.5s",
};
test.each([
  ["anthropic", { "retry-after": "30" }, "", AT + 30_000],
  ["openai", { "retry-after-ms": "1500", "retry-after": "2" }, "", AT + 1500],
  ["openai", { "retry-after": "Thu, 01 Jan 1970 01:00:00 GMT" }, "", 3_600_000],
  ["anthropic", { "anthropic-ratelimit-unified-reset": "5000" }, "", 5_000_000],
  ["gemini", {}, '{"details":[{"retryDelay": "13.5s"}]}', AT + 13_500],
  ["gemini", {}, "{}", undefined],
  ["openai", FULL, '{"error":{"message":"Please try again in 1.574s."}}', AT + 1574],
  ["openai", FULL, "{}", AT + 360_000],
  ["openai", { ...FULL, "x-ratelimit-remaining-requests": "9" }, "{}", AT + 1500],
  ["openai", FULL, '{"error":{"code":"insufficient_quota"}}', undefined],
  ["openai", { "x-ratelimit-reset-tokens": "0s" }, "{}", undefined],
  ["anthropic", FULL, "{}", undefined],
] as const)("%s says with %j%s when the limit ends", (...[provider, headers, body, expected]) => {
  expect(limitEnd(provider, { headers, body, at: AT })).toBe(expected);
});

test("the reason is the provider's own, on one line", () => {
  expect(limitReason('{"error":{"message":"Slow\\ndown, \\"you\\""}}')).toBe(
    '429: Slow down, \\"you\\"',
  );
  expect(limitReason("")).toBe("429: too many requests");
});
