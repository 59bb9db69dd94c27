// One request of an agent to its model, as it arrives at the gateway: whose it is, where it goes, and
// what it may use at most. Pure.
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Spent } from "../../core/budget.ts";
import type { Prices } from "../../core/config.ts";
import { isObject, parseObject } from "../../lib/json-object.ts";
import type { ModelKey } from "../../ports/session-gateway.ts";
import { costOf } from "../shared/prices.ts";
import { PROVIDERS } from "./providers.ts";

export type Route = {
  key: ModelKey;
  /** On the provider's side, with its query. */
  path: string;
  /** True where a model answers, and it costs. */
  asks: boolean;
};

/** The token is in the header in which clients of this provider send their key, or in the query. */
export function isOwn(url: URL, headers: IncomingHttpHeaders, token: string): boolean {
  const bearer = /^Bearer (?<token>\S+)$/i.exec(headers.authorization ?? "")?.groups?.["token"];
  const given = [
    bearer,
    headers["x-api-key"],
    headers["x-goog-api-key"],
    url.searchParams.get("key"),
  ];
  return given.some((one) => typeof one === "string" && isSame(one, token));
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** `/KEY/path…`; undefined where no key of that name is there, or the path is none of a model's. */
export function routeOf(
  url: URL,
  { method, keys }: { method: string | undefined; keys: readonly ModelKey[] },
): Route | undefined {
  const [, name = "", ...rest] = url.pathname.split("/");
  const key = keys.find((one) => one.name === name);
  const path = `/${rest.join("/")}`;
  if (key === undefined) return undefined;
  const { asks, free } = PROVIDERS[key.provider];
  const isAsked = method === "POST" && asks.test(path);
  if (!isAsked && !(free.test(path) && changesNothing(method, path))) return undefined;
  const query = new URLSearchParams(url.searchParams);
  query.delete("key");
  return { key, path: query.size === 0 ? path : `${path}?${query.toString()}`, asks: isAsked };
}

/** A model of one's own can be deleted under the path at which it is read. */
const changesNothing = (method: string | undefined, path: string): boolean =>
  method === "GET" || (method === "POST" && /count_?tokens$/i.test(path));

/** Where a request does not say how long an answer may be. */
const OUTPUT_MAX_TOKENS = 64_000;
/** No text has more tokens than that; pictures have fewer. */
const BYTES_PER_TOKEN = 2;

export type Asked = {
  model: string;
  /** What it may use at most. */
  most: Spent;
  /** As it is passed on. */
  body: Buffer;
};

/** `prices`: the user's own. */
export function readAsked(
  { path, key }: Pick<Route, "path"> & { key: Pick<ModelKey, "provider"> },
  body: Buffer,
  prices: Prices = {},
): Asked {
  const fields = parseObject(body.toString("utf8")) ?? {};
  const model =
    textOf(fields["model"]) ?? /\/models\/(?<model>[^:/]+)/.exec(path)?.groups?.["model"];
  const input = Math.ceil(body.length / BYTES_PER_TOKEN);
  const output = outputMax(fields);
  const tokens = { input, output, cacheRead: 0, cacheWrite: 0 };
  const usd = costOf(model ?? "", tokens, prices) ?? 0;
  return {
    model: model ?? "unknown",
    most: { tokens: input + output, usd },
    body: key.provider === "openai" ? withUsage(fields, path, body) : body,
  };
}

/** The largest that is stated: a provider passes over fields that it does not know. */
function outputMax(fields: Record<string, unknown>): number {
  const generation = isObject(fields["generationConfig"]) ? fields["generationConfig"] : {};
  const largest = (...values: unknown[]): number =>
    Math.max(0, ...values.filter((value) => typeof value === "number" && value > 0).map(Number));
  const stated = largest(
    fields["max_tokens"],
    fields["max_output_tokens"],
    fields["max_completion_tokens"],
    generation["maxOutputTokens"],
  );
  const answers = Math.max(1, largest(fields["n"], generation["candidateCount"]));
  return (stated === 0 ? OUTPUT_MAX_TOKENS : stated) * answers;
}

/**
 * Why a question to a model is not passed on; undefined where it is. What the gateway cannot read, and an
 * answer that comes later under another request, would cost without being seen.
 */
export function unseen(headers: IncomingHttpHeaders, body: Buffer): string | undefined {
  const { "content-encoding": encoding = "identity" } = headers;
  if (encoding !== "identity") return "Pawl's gateway passes on no compressed requests";
  const fields = parseObject(body.toString("utf8"));
  if (fields === undefined) return "Pawl's gateway passes on requests in JSON alone";
  return fields["background"] === true
    ? "Pawl's gateway passes on no requests with background = true"
    : undefined;
}

/** A stream of Chat tells what it has used only where it is asked to. */
function withUsage(fields: Record<string, unknown>, path: string, body: Buffer): Buffer {
  if (!path.endsWith("/chat/completions") || fields["stream"] !== true) return body;
  const options = fields["stream_options"] as Record<string, unknown> | undefined;
  if (options?.["include_usage"] === true) return body;
  return Buffer.from(
    JSON.stringify({ ...fields, stream_options: { ...options, include_usage: true } }),
  );
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;

/** Of one connection, of the gateway's own secret, or of what the gateway must be able to read. */
const DROPPED = new Set([
  "accept-encoding",
  "authorization",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "x-api-key",
  "x-goog-api-key",
  // Some providers take it for the method, which the gateway has judged.
  "x-http-method-override",
]);

/** The agent's headers with the key instead of its token. */
export function headersFor(
  { key }: Route,
  headers: IncomingHttpHeaders,
  length: number,
): Record<string, string | string[]> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || DROPPED.has(name) ? [] : [[name, value] as const],
  );
  const [name, value] = PROVIDERS[key.provider].header(key.secret);
  return {
    ...Object.fromEntries(kept),
    [name]: value,
    "accept-encoding": "identity",
    ...(length === 0 ? {} : { "content-length": String(length) }),
  };
}
