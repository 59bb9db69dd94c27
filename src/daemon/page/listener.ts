// The web server of the page, on loopback only. It serves the page's own files, pairs devices and
// passes calls of paired devices to the API that the command line uses.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { pairSchema, PAGE_KEY_HEADER, type PairedView } from "../../api/page.ts";
import { ticketSchema, type TicketView } from "../../api/terminal.ts";
import type { Asset } from "./assets.ts";
import { actorOf, type Device, type Devices, deviceView } from "./devices.ts";
import { refusal } from "./guard.ts";
import { bodyFor, mayUse, scopeNeeded } from "./rights.ts";
import { createSockets } from "./sockets.ts";
import type { Terminals } from "./terminals.ts";
import { Tickets } from "./tickets.ts";

const HOST = "127.0.0.1";
const BODY_MAX_BYTES = 256 * 1024;
const REQUEST_MAX_MS = 10_000;
const CONNECTIONS_MAX = 100;
/** A browser keeps a cookie for at most 400 days. */
const COOKIE_MAX_AGE_S = 400 * 24 * 3600;

/**
 * No script but our own files, no markup from strings, no frame around the page. The terminal writes
 * its colours into a style element, so that styles may stand in the page.
 */
const SAFE_HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export type PageOptions = {
  /** 0: any free one. */
  port: number;
  /** Where else a browser finds it: proxies with TLS in front of it. */
  origins: readonly string[];
  assets: ReadonlyMap<string, Asset>;
  devices: Devices;
  /** The API. */
  api: (request: Request) => Response | Promise<Response>;
  terminals: Terminals;
  now: () => number;
};

export type PageListener = {
  origin: string;
  origins: readonly string[];
  port: number;
  close(): Promise<void>;
};

export async function startPageListener(options: PageOptions): Promise<PageListener> {
  let origin = "";
  const all = (): string[] => [origin, ...options.origins];
  const tickets = new Tickets(options.now);
  const answer = getRequestListener(
    (request) => respond(request, { ...options, tickets, origin }),
    {
      // The guard has compared the real one.
      hostname: HOST,
      overrideGlobalObjects: false,
    },
  );
  const server: Server = createServer({ requestTimeout: REQUEST_MAX_MS }, (request, response) => {
    for (const [name, value] of Object.entries(SAFE_HEADERS)) response.setHeader(name, value);
    const refused = refusal(factsOf(request), all());
    if (refused === undefined) {
      answer(request, response).catch((error: unknown) => response.destroy(error as Error));
      return;
    }
    request.resume();
    const { status, code, message } = refused;
    response.writeHead(status, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify({ error: { code, message } }));
  });
  const sockets = createSockets({
    ...options,
    tickets,
    refusalOf: (request) => refusal(factsOf(request), all()),
    cookieOf: ({ headers }) => cookieIn(headers.cookie ?? "", origin),
  });
  server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
  server.maxConnections = CONNECTIONS_MAX;
  server.headersTimeout = REQUEST_MAX_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  origin = `http://${HOST}:${port}`;
  return {
    origin,
    origins: options.origins,
    port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      sockets.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const factsOf = (request: IncomingMessage): Parameters<typeof refusal>[0] => ({
  method: request.method ?? "",
  url: request.url ?? "",
  header: (name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  },
});

type Place = PageOptions & { origin: string; tickets: Tickets };

async function respond(request: Request, place: Place): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/pair" && request.method === "POST") return pair(request, place);
  if (pathname === "/ticket" && request.method === "POST") return giveTicket(request, place);
  if (pathname.startsWith("/v1/")) return callApi(request, pathname, place);
  const asset = place.assets.get(pathname);
  if (asset === undefined) return failure(404, "not-found", `there is no ${pathname}`);
  const kept = asset.isFixed ? "private, max-age=31536000, immutable" : "no-cache";
  const headers = { "content-type": asset.type, etag: asset.tag, "cache-control": kept };
  if (request.headers.get("if-none-match") === asset.tag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === "HEAD" ? null : asset.bytes, { headers });
}

async function pair(request: Request, { devices, origin }: Place): Promise<Response> {
  const body = await readJson(request);
  if (body instanceof Response) return body;
  const asked = pairSchema.safeParse(body.value);
  const agent = request.headers.get("user-agent") ?? "";
  const paired = asked.success ? await devices.pair(asked.data.code, agent) : undefined;
  if (paired === undefined) {
    const why = "this link was used, is older than five minutes, or is not one of Pawl's";
    return failure(403, "no-pairing", `${why}; \`pawl page\` prints a new one`);
  }
  const view: PairedView = { key: paired.key, device: deviceView(paired.device) };
  // The guard has seen that it is one of ours.
  const isSecure = request.headers.get("origin")?.startsWith("https:") === true;
  const how = `HttpOnly; SameSite=Strict; Path=/${isSecure ? "; Secure" : ""}`;
  const cookie = `${cookieName(origin)}=${paired.cookie}; ${how}`;
  const headers = { "set-cookie": `${cookie}; Max-Age=${COOKIE_MAX_AGE_S}`, ...NOT_KEPT };
  return Response.json(view, { headers });
}

/** Every scope includes looking on; typing is asked for again when the keyboard is taken. */
async function giveTicket(request: Request, place: Place): Promise<Response> {
  const device = await deviceOf(request, place);
  if (device === undefined) return notPaired();
  const body = await readJson(request);
  if (body instanceof Response) return body;
  const asked = ticketSchema.safeParse(body.value);
  if (!asked.success) return failure(400, "usage", "a ticket is for a project and a run");
  const { screen, begun } = (await place.terminals.look(asked.data)) ?? { screen: null };
  const ticket = place.tickets.give({ device: device.id, ...asked.data, ...(begun && { begun }) });
  return Response.json({ ticket, screen } satisfies TicketView, { headers: NOT_KEPT });
}

const notPaired = (): Response =>
  failure(
    401,
    "not-paired",
    "this browser is not paired, or was revoked; open the link that `pawl page` prints",
  );

async function callApi(request: Request, path: string, place: Place): Promise<Response> {
  const device = await deviceOf(request, place);
  if (device === undefined) return notPaired();
  const needed = scopeNeeded(request.method, path);
  if (needed === undefined) return failure(404, "no-route", `the page has no ${path}`);
  if (!mayUse(device.scope, needed)) {
    const has = `this browser is paired with the scope ${device.scope}`;
    return failure(
      403,
      "wrong-scope",
      `${has}; \`pawl page --scope ${needed}\` pairs it with more rights`,
    );
  }
  if (path === "/v1/ping") return Response.json(deviceView(device), { headers: NOT_KEPT });
  const passed = await passedOn(request, { path, device });
  if (passed instanceof Response) return passed;
  const gone = new AbortController();
  const stop = place.devices.onRevoked((id) => {
    if (id === device.id) gone.abort();
  });
  // Revoked since it was looked up, and before it was listened for.
  if ((await deviceOf(request, place)) === undefined) gone.abort();
  return untilGone(await place.api(passed), { signal: gone.signal, stop });
}

function deviceOf(request: Request, place: Place): Promise<Device | undefined> {
  const own = cookieIn(request.headers.get("cookie") ?? "", place.origin);
  return place.devices.find(own, request.headers.get(PAGE_KEY_HEADER) ?? undefined);
}

function cookieIn(header: string, origin: string): string | undefined {
  const name = cookieName(origin);
  const pairs = header.split(";").map((one) => one.trim());
  return pairs.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** The request as the API gets it: nothing of the browser's but the question itself. */
async function passedOn(
  request: Request,
  { path, device }: { path: string; device: Device },
): Promise<Request | Response> {
  const url = `http://pawl${path}${new URL(request.url).search}`;
  const seen = request.headers.get("last-event-id");
  const headers = new Headers(seen === null ? {} : { "last-event-id": seen });
  const { signal } = request;
  if (request.method !== "POST") return new Request(url, { headers, signal });
  const body = await readJson(request);
  if (body instanceof Response) return body;
  headers.set("content-type", "application/json");
  // Who acts is what the pairing says, not what the browser says.
  const said = { ...bodyFor(path, body.value as object), by: actorOf(device) };
  return new Request(url, { method: "POST", headers, body: JSON.stringify(said), signal });
}

async function readJson(request: Request): Promise<{ value: unknown } | Response> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request.body ?? []) {
    bytes += part.byteLength;
    if (bytes > BODY_MAX_BYTES) return failure(413, "too-large", "the body is over 256 kB");
    parts.push(part);
  }
  const value = parsed(Buffer.concat(parts).toString());
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { value };
  return failure(400, "usage", "the body must be a JSON object");
}

/** Undefined where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A stream of a device that is revoked ends at once. */
function untilGone(
  answer: Response,
  { signal, stop }: { signal: AbortSignal; stop: () => void },
): Response {
  const headers = new Headers(answer.headers);
  headers.set("cache-control", "no-store");
  if (answer.body === null || !(headers.get("content-type") ?? "").includes("event-stream")) {
    stop();
    return new Response(answer.body, { status: answer.status, headers });
  }
  const passing = new TransformStream<Uint8Array, Uint8Array>({ flush: () => stop() });
  // The reader leaves, or the device is revoked: both end the stream and are no failure.
  answer.body.pipeTo(passing.writable, { signal }).catch(() => stop());
  return new Response(passing.readable, { status: answer.status, headers });
}

const NOT_KEPT = { "cache-control": "no-store" };

/** Browsers send cookies to every port of a host: two factories of one user must not share one. */
const cookieName = (origin: string): string => `pawl_${new URL(origin).port}`;

const failure = (status: number, code: string, message: string): Response =>
  Response.json({ error: { code, message } }, { status, headers: NOT_KEPT });
