// How the gateway to the model speaks HTTP: what it asks of a provider, how it refuses an agent.
import { once } from "node:events";
import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { AccountLimit } from "../../core/gateway/meter.ts";
import type { Tokens } from "../../core/usage.ts";
import type { ModelKey } from "../../ports/session-gateway.ts";
import { headersFor, type Asked, type Route } from "./model-request.ts";
import { PROVIDERS, type Failure } from "./providers.ts";

const BODY_MAX_BYTES = 64 * 1024 * 1024;
const REFUSAL_MAX_BYTES = 64 * 1024;
/** A model that thinks says nothing for minutes; a connection that is dead says nothing for ever. */
const SILENCE_MAX_MS = 15 * 60_000;

export const STRANGER =
  "this is the gateway of a session of Pawl, and the request does not carry its token";

export const spentText = (reason: string): string =>
  `Pawl stopped this request before it was sent, because ${reason}. Save your work and stop; a person decides whether this run continues.`;

export function failLimited(
  response: ServerResponse,
  key: ModelKey,
  { limit, at }: { limit: AccountLimit; at: number },
): void {
  const seconds = Math.max(1, Math.ceil((limit.until - at) / 1000));
  response.setHeader("retry-after", String(seconds));
  const message = `Pawl did not send this request: the key is limited for ${seconds} s (${limit.reason})`;
  fail(response, key, { status: 429, type: "limited", message });
}

export function fail(response: ServerResponse, key: ModelKey | undefined, failure: Failure): void {
  if (response.headersSent || response.destroyed) return;
  const body = PROVIDERS[key?.provider ?? "anthropic"].error(failure);
  response.writeHead(failure.status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** The variables that lead the agent to a proxy are in this process's environment: they are not used. */
const DIRECT = {
  http: new Agent({ keepAlive: true }),
  https: new HttpsAgent({ keepAlive: true }),
};

export function ask(route: Route, request: IncomingMessage, body: Buffer) {
  const base = new URL(route.key.url ?? PROVIDERS[route.key.provider].url);
  const url = new URL(`${base.pathname.replace(/\/$/, "")}${route.path}`, base);
  const [send, agent] =
    url.protocol === "http:" ? [httpRequest, DIRECT.http] : [httpsRequest, DIRECT.https];
  const headers = headersFor(route, request.headers, body.length);
  const upstream = send(url, {
    agent,
    method: request.method,
    headers,
    timeout: SILENCE_MAX_MS,
  });
  upstream.on("timeout", () => upstream.destroy(new Error("no answer")));
  // Without a listener an error after the answer has begun would end the process.
  upstream.on("error", () => {});
  upstream.end(body);
  return upstream;
}

/** Of one connection alone. */
const OF_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade"]);

export const keptHeaders = ({ headers }: IncomingMessage): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.has(name) ? [] : [[name, value]],
    ),
  );

/** Four characters are a token, roughly: better too much than a budget that never ends. */
export const guessed = (asked: Asked, written: number): Tokens => ({
  input: Math.ceil(asked.body.length / 4),
  output: Math.ceil(written / 4),
  cacheRead: 0,
  cacheWrite: 0,
});

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) throw new Error(`a request of over ${BODY_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function beginningOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (bytes < REFUSAL_MAX_BYTES) chunks.push(chunk);
    bytes += chunk.length;
  }
  return Buffer.concat(chunks);
}

export const hostOf = (key: ModelKey): string =>
  new URL(key.url ?? PROVIDERS[key.provider].url).host;
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export async function eitherOf(response: ServerResponse, events: readonly string[]): Promise<void> {
  const done = new AbortController();
  await Promise.race(events.map((event) => once(response, event, { signal: done.signal })));
  done.abort();
}
