// WebSockets of the page. A handshake must name this exact host and origin, carry the cookie of a
// paired device, and a ticket that this device was given a moment ago.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import {
  fromBrowserSchema,
  TERMINAL_PATH,
  TERMINAL_PROTOCOL,
  TICKET_PREFIX,
} from "../../api/terminal.ts";
import type { Devices } from "./devices.ts";
import type { Refusal } from "./guard.ts";
import type { TerminalConnection, Terminals } from "./terminals.ts";
import type { Tickets } from "./tickets.ts";

const MESSAGE_MAX_BYTES = 64 * 1024;
const SOCKETS_MAX = 40;
/** Far more than a browser that tells the truth is ever sent ahead. */
const UNSENT_MAX_BYTES = 1024 * 1024;
const PING_MS = 30_000;
/** Says why a socket was closed: the browser tries no other one at once. */
const REVOKED = 4001;
const WRONG_MESSAGE = 1008;
const FAILED = 1011;

export type SocketsOptions = {
  devices: Devices;
  tickets: Tickets;
  terminals: Terminals;
  /** What speaks against any request at all. */
  refusalOf: (request: IncomingMessage) => Refusal | undefined;
  cookieOf: (request: IncomingMessage) => string | undefined;
};

export type Sockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
};

type Allowed = Parameters<Terminals["open"]>[0];

export function createSockets(options: SocketsOptions): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => TERMINAL_PROTOCOL,
  });
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const allowed = await allowedBy(options, request);
    if ("status" in allowed) return refuse(socket, allowed);
    if (server.clients.size >= SOCKETS_MAX) return refuse(socket, TOO_MANY);
    server.handleUpgrade(request, socket, head, (opened) => {
      serve(options, opened, allowed).catch(() => opened.close(FAILED));
    });
  };
  return {
    upgrade: (request, socket, head) => {
      // A stranger that leaves is no failure.
      socket.on("error", () => socket.destroy());
      upgrade(request, socket, head).catch(() => socket.destroy());
    },
    close: () => {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

const TOO_MANY: Refusal = {
  status: 503,
  code: "too-many",
  message: "too many terminals are open: close some",
};

async function allowedBy(
  { devices, tickets, refusalOf, cookieOf }: SocketsOptions,
  request: IncomingMessage,
): Promise<Allowed | Refusal> {
  const refused = refusalOf(request);
  if (refused !== undefined) return refused;
  if (request.headers.origin === undefined) {
    return { status: 403, code: "no-origin", message: "a WebSocket must name its origin" };
  }
  if (request.url !== TERMINAL_PATH) {
    return { status: 404, code: "no-route", message: "the page has no WebSocket there" };
  }
  const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",");
  const ticket = offered.map((one) => one.trim()).find((one) => one.startsWith(TICKET_PREFIX));
  const given = tickets.use(ticket?.slice(TICKET_PREFIX.length) ?? "");
  const found = await devices.ofCookie(cookieOf(request));
  if (given === undefined || found === undefined || found.id !== given.device) {
    const message =
      "this WebSocket has no valid ticket: it is missing, was used, is too old, or is for another browser";
    return { status: 401, code: "no-ticket", message };
  }
  return { ...given, device: found };
}

function refuse(socket: Duplex, { status, code, message }: Refusal): void {
  const body = JSON.stringify({ error: { code, message } });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

async function serve(
  { devices, terminals }: SocketsOptions,
  socket: WebSocket,
  allowed: Allowed,
): Promise<void> {
  let connection: TerminalConnection | undefined;
  const leave = (): void => {
    stopListening();
    stopPings();
    connection?.closed();
  };
  // What the other side has not answered yet is still open: it must not act any more.
  const end = (code: number, why: string): void => {
    leave();
    socket.close(code, why);
  };
  const stopListening = devices.onRevoked((id) => {
    if (id === allowed.device.id) end(REVOKED, "revoked");
  });
  const stopPings = keepAlive(socket);
  socket.on("error", () => socket.terminate());
  socket.on("close", leave);
  const send = (data: string | Uint8Array): void => {
    // It says that it has drawn what it has not even read.
    if (socket.bufferedAmount > UNSENT_MAX_BYTES) socket.terminate();
    else socket.send(data);
  };
  connection = await terminals.open(allowed, {
    json: (message) => send(JSON.stringify(message)),
    bytes: send,
    fail: () => end(FAILED, "the terminal cannot be read"),
  });
  if (socket.readyState !== socket.OPEN) return leave();
  if (connection === undefined) return end(FAILED, "there is no such run");
  socket.on("message", (data, isBinary) => {
    const message = fromBrowserSchema.safeParse(isBinary ? undefined : parsed(data as Buffer));
    if (message.success) connection?.said(message.data);
    else end(WRONG_MESSAGE, "this is not a message of the page");
  });
}

function parsed(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    return undefined;
  }
}

/** A browser that has gone without a word, or reads nothing any more, keeps no keyboard. */
function keepAlive(socket: WebSocket): () => void {
  let isHeard = true;
  socket.on("pong", () => (isHeard = true));
  const timer = setInterval(() => {
    if (!isHeard) {
      socket.terminate();
      return;
    }
    isHeard = false;
    socket.ping();
  }, PING_MS);
  timer.unref();
  return () => clearInterval(timer);
}
