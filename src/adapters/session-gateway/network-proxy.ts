// The way out of a session whose network is a list of hosts: CONNECT for everything that speaks TLS
// or another protocol, plain HTTP requests with a whole address. The name alone decides; it is resolved
// here, outside the session, and what it leads to is judged as well. Every request is judged by
// itself, so that a redirect or a connection that stays open leads nowhere else.
import { lookup } from "node:dns/promises";
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import {
  hostName,
  isAllowed,
  isReachable,
  parseAuthority,
  parseHostRule,
  shownTarget,
  type Target,
} from "../../core/network/host-rules.ts";

const CONNECT_MAX_MS = 30_000;
const HEADERS_MAX_BYTES = 64 * 1024;

export type ProxyOptions = {
  /** Asked for every request. */
  hosts: () => readonly string[];
  /** Once for every refusal; what is told to people is told less often. */
  onRefused: (refused: { target: string; why: string }) => void;
  /** All addresses of a name. */
  resolve?: (host: string) => Promise<string[]>;
};

type Judged =
  | { kind: "address"; address: string }
  | { kind: "refused"; status: number; why: string };

export function createProxy(options: ProxyOptions): Server {
  const server = createServer({ maxHeaderSize: HEADERS_MAX_BYTES }, (request, response) => {
    forward(options, request, response).catch(() => response.destroy());
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener a connection that breaks would end the process.
    socket.on("error", () => socket.destroy());
    tunnel(options, request, { socket, head }).catch(() => socket.destroy());
  });
  // An upgrade of a plain request would open a connection that is not judged again.
  server.on("upgrade", (_request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    refuseSocket(socket, { status: 403, why: "an upgrade needs CONNECT" });
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  return server;
}

async function tunnel(
  options: ProxyOptions,
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
): Promise<void> {
  const target = parseAuthority(request.url ?? "");
  if (target === undefined) return refuseSocket(socket, { status: 400, why: "no host and port" });
  const judged = await judge(options, target);
  if (judged.kind === "refused") return refuseSocket(socket, judged);
  const outside = connect({ host: judged.address, port: target.port, timeout: CONNECT_MAX_MS });
  const close = (): void => {
    outside.destroy();
    socket.destroy();
  };
  // A connection that never came about is answered below, and closes only itself.
  outside.on("error", () => outside.destroy());
  outside.once("timeout", () => outside.destroy(new Error("timeout")));
  if (!(await connected(outside))) {
    return refuseSocket(socket, { status: 502, why: `cannot connect to ${shownTarget(target)}` });
  }
  // The client has hung up meanwhile: its "close" came before there was a listener.
  if (socket.destroyed) return close();
  outside.setTimeout(0);
  socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
  outside.write(head);
  outside.on("close", close);
  socket.on("close", close);
  socket.pipe(outside).pipe(socket);
}

const connected = (outside: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    outside.once("connect", () => resolve(true));
    outside.once("error", () => resolve(false));
    outside.once("close", () => resolve(false));
  });

/** Of one connection alone; the rest is passed on as it is. */
const DROPPED = new Set([
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The variables that lead the agent here are in this process's environment too: they are not used. */
const DIRECT = new Agent({ keepAlive: false });

async function forward(
  options: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const read = readAddress(request);
  if ("why" in read) return refuse(response, { status: 400, why: read.why });
  const { target, path } = read;
  const judged = await judge(options, target);
  if (judged.kind === "refused") return refuse(response, judged);
  const headers = Object.entries(request.headers).filter(([name]) => !DROPPED.has(name));
  const hasBody = request.headers["transfer-encoding"] !== undefined;
  const outside = httpRequest({
    agent: DIRECT,
    host: judged.address,
    port: target.port,
    method: request.method,
    path,
    headers: {
      ...Object.fromEntries(headers),
      ...(hasBody ? { "transfer-encoding": "chunked" } : {}),
    },
    setHost: false,
    timeout: CONNECT_MAX_MS * 10,
  });
  outside.on("timeout", () => outside.destroy(new Error("timeout")));
  outside.on("error", () => {
    if (response.headersSent) response.destroy();
    else refuse(response, { status: 502, why: `cannot reach ${shownTarget(target)}` });
  });
  outside.on("response", (answer) => {
    const kept = Object.entries(answer.headers).filter(([name]) => !DROPPED.has(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
    answer.on("error", () => response.destroy());
    answer.pipe(response);
  });
  response.on("close", () => outside.destroy());
  request.pipe(outside);
}

/** The address in the request line and the Host header must mean the same server. */
function readAddress(request: IncomingMessage): { target: Target; path: string } | { why: string } {
  const text = request.url ?? "";
  if (!/^http:\/\//i.test(text) || !URL.canParse(text))
    return { why: "not a complete http:// address" };
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return { why: "an address with a user in it" };
  // Taken as it was written: a URL would turn every notation of an address into the usual one.
  const authority = /^http:\/\/(?<authority>[^/?#]*)/i.exec(text)?.groups?.["authority"] ?? "";
  const target = parseAuthority(/:\d+$/.test(authority) ? authority : `${authority}:80`);
  if (target === undefined) return { why: "no host" };
  const { host } = request.headers;
  const named = parseAuthority(/:\d+$/.test(host ?? "") ? (host ?? "") : `${host ?? ""}:80`);
  if (named?.host !== target.host || named.port !== target.port) {
    return { why: "the Host header names another server than the address" };
  }
  return { target, path: `${url.pathname}${url.search}` };
}

async function judge(options: ProxyOptions, target: Target): Promise<Judged> {
  const refused = (why: string): Judged => {
    options.onRefused({ target: shownTarget(target), why });
    return { kind: "refused", status: 403, why };
  };
  if (hostName(target.host) === undefined) {
    return refused(`${target.host} is an address, and hosts can be reached only by name`);
  }
  const rules = options.hosts().flatMap((text) => {
    const parsed = parseHostRule(text);
    return parsed.kind === "rule" ? [parsed.rule] : [];
  });
  const shown = shownTarget(target);
  if (!isAllowed(rules, target)) return refused(`${shown} is not in [isolation] hosts`);
  const addresses = await (options.resolve ?? resolveName)(target.host);
  const own = ownAddresses();
  const address = addresses.find((one) => isReachable(one, { host: target.host, own }));
  if (address !== undefined) return { kind: "address", address };
  if (addresses.length > 0)
    return refused(`${shown} resolves to this machine or to a link-local address`);
  return { kind: "refused", status: 502, why: `${target.host} cannot be resolved` };
}

async function resolveName(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));

type Refused = { status: number; why: string };

const text = ({ why }: Refused): string => `Pawl's proxy refused this: ${why}\n`;

function refuse(response: ServerResponse, refused: Refused): void {
  response.writeHead(refused.status, { "content-type": "text/plain", connection: "close" });
  response.end(text(refused));
}

function refuseSocket(socket: Duplex, refused: Refused): void {
  const body = text(refused);
  const reason = refused.status === 502 ? "Bad Gateway" : "Forbidden";
  socket.end(
    [
      `HTTP/1.1 ${refused.status} ${reason}`,
      "content-type: text/plain",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
