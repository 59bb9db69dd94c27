// Who may open a WebSocket of the page, and what it may say there: over real connections.
import { readFile, stat } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket, type ClientOptions } from "ws";
import type { PairedView } from "../../src/api/page.ts";
import type { FromBrowser, TicketView, ToBrowser } from "../../src/api/terminal.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE, type Factory } from "../support/pawl.ts";

/** Shows as much as it can once it is told to. */
const AGENT = `echo ready\nread -r line\nyes "a line of babble that goes on and on"\n`;
let factory: Factory;

beforeAll(async () => {
  factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "test.sh": "true\n", "agent.sh": AGENT },
  });
  await factory.ok("init", "--yes");
  await factory.ok("up");
  await factory.addIssue({ title: "Talk" });
  await factory.until(
    "its agent runs",
    async () => (await factory.status()).runs[0]?.alive === true,
  );
});
afterAll(async () => factory[Symbol.asyncDispose]());

type Paired = { origin: string; cookie: string; key: string; id: string };
type Answer = { status: number; text: string; cookie: string };

const send = (url: string, headers: Record<string, string>, body: object): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const json = { "content-type": "application/json", ...headers };
    const call = request(url, { method: "POST", headers: json, agent: false }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => (text += part.toString()));
      const cookie = response.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, cookie }));
    });
    call.on("error", reject);
    call.end(JSON.stringify(body));
  });

async function paired(scope = "terminal"): Promise<Paired> {
  const link = new URL((await factory.ok("page", "open", "--no-open", "--scope", scope)).trim());
  const { origin } = link;
  const code = link.hash.replace("#pair=", "");
  const { text, cookie } = await send(`${origin}/pair`, { origin }, { code });
  const { key, device } = JSON.parse(text) as PairedView;
  return { origin, cookie, key, id: device.id };
}

async function askTicket({ origin, cookie, key }: Paired, ref = "1"): Promise<TicketView> {
  const headers = { origin, cookie, "x-pawl-page-key": key };
  const { text } = await send(`${origin}/ticket`, headers, { project: factory.project, ref });
  return JSON.parse(text) as TicketView;
}

const ticketOf = async (device: Paired): Promise<string> => (await askTicket(device)).ticket;

type Opening = {
  path?: string;
  ticket?: string;
  headers?: Record<string, string>;
  noOrigin?: true;
};

function open(
  device: Paired,
  { path = "/terminal", ticket, headers, noOrigin }: Opening,
): WebSocket {
  const protocols = ["pawl-terminal", ...(ticket === undefined ? [] : [`pawl-ticket.${ticket}`])];
  const origin = noOrigin === true ? {} : { origin: device.origin };
  const options: ClientOptions = { headers: { cookie: device.cookie, ...origin, ...headers } };
  return new WebSocket(`${device.origin.replace("http", "ws")}${path}`, protocols, options);
}

/** The status of the refusal, or 101. */
const statusOf = (socket: WebSocket): Promise<number> =>
  new Promise((resolve, reject) => {
    socket.once("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.once("unexpected-response", (_request, response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once("error", reject);
  });

const closeOf = (socket: WebSocket): Promise<number> =>
  new Promise((resolve) => {
    socket.once("close", resolve);
    socket.on("error", () => undefined);
  });

const nextOf = <K extends ToBrowser["kind"]>(
  socket: WebSocket,
  kind: K,
): Promise<Extract<ToBrowser, { kind: K }>> =>
  new Promise((resolve) => {
    const look = (data: Buffer, isBinary: boolean): void => {
      const message = isBinary ? undefined : (JSON.parse(data.toString()) as ToBrowser);
      if (message?.kind !== kind) return;
      socket.off("message", look);
      resolve(message as Extract<ToBrowser, { kind: K }>);
    };
    socket.on("message", look);
  });

test("a ticket opens one WebSocket, once", async () => {
  const device = await paired();
  const ticket = await ticketOf(device);
  expect(await statusOf(open(device, { ticket }))).toBe(101);
  expect(await statusOf(open(device, { ticket }))).toBe(401);
});

test("a ticket comes with the screen, and its WebSocket does not send that again", async () => {
  const device = await paired();
  const log = (await factory.status()).runs[0]?.log_path ?? "";
  await factory.until("its agent has written", async () =>
    (await readFile(log, "utf8")).includes("ready"),
  );
  const { ticket, screen } = await askTicket(device);
  expect(screen).toMatchObject({ columns: 200, rows: 50, live: true });
  expect(screen?.text).toContain("ready");
  const socket = open(device, { ticket });
  const kinds: string[] = [];
  socket.on("message", (data: Buffer, isBinary) => {
    kinds.push(isBinary ? "output" : (JSON.parse(data.toString()) as ToBrowser).kind);
  });
  await nextOf(socket, "keyboard");
  const typing = await withKeyboard(device);
  say(typing, { kind: "give" });
  await factory.until("it is told who types", async () => kinds.length > 2);
  expect(new Set(kinds)).toEqual(new Set(["keyboard"]));
  socket.terminate();
  typing.terminate();
});

test("a ticket for no run comes without a screen", async () => {
  expect((await askTicket(await paired(), "nobody")).screen).toBeNull();
});

const HOSTILE: [string, (device: Paired) => Promise<Opening & { as?: Paired }>, number][] = [
  ["no ticket", async () => ({}), 401],
  ["a ticket that was never given", async () => ({ ticket: "a".repeat(32) }), 401],
  ["an empty ticket", async () => ({ ticket: "" }), 401],
  ["no cookie", async (one) => ({ ticket: await ticketOf(one), headers: { cookie: "" } }), 401],
  [
    "the ticket of another browser",
    async (one) => ({ ticket: await ticketOf(one), as: await paired() }),
    401,
  ],
  [
    "a cookie that is wrong",
    async (one) => ({ ticket: await ticketOf(one), headers: { cookie: `${one.cookie}x` } }),
    401,
  ],
  [
    "the ticket of a browser that was revoked since",
    async (one) => {
      const ticket = await ticketOf(one);
      await factory.ok("page", "revoke", one.id);
      return { ticket };
    },
    401,
  ],
  ["no origin", async (one) => ({ ticket: await ticketOf(one), noOrigin: true }), 403],
  [
    "a foreign origin",
    async (one) => ({ ticket: await ticketOf(one), headers: { origin: "https://evil.example" } }),
    403,
  ],
  [
    "the origin of a page that an agent serves",
    async (one) => ({ ticket: await ticketOf(one), headers: { origin: "http://127.0.0.1:3000" } }),
    403,
  ],
  [
    "a rebound name",
    async (one) => ({ ticket: await ticketOf(one), headers: { host: "evil.example" } }),
    421,
  ],
  [
    "another site, as the browser says",
    async (one) => ({ ticket: await ticketOf(one), headers: { "sec-fetch-site": "same-site" } }),
    403,
  ],
  ["another path", async (one) => ({ ticket: await ticketOf(one), path: "/v1/changes" }), 404],
  [
    "a path that climbs",
    async (one) => ({ ticket: await ticketOf(one), path: "/x/%2e%2e%2f" }),
    400,
  ],
];

test.for(HOSTILE)("a WebSocket with %s is refused", async ([, opening, status]) => {
  const device = await paired();
  const { as = device, ...how } = await opening(device);
  expect(await statusOf(open(as, how))).toBe(status);
});

test("a ticket is given to a paired browser of this origin alone", async () => {
  const { origin, cookie, key } = await paired();
  const asks: [Record<string, string>, number][] = [
    [{ origin, cookie }, 401],
    [{ origin, "x-pawl-page-key": key }, 401],
    [{ origin: "http://127.0.0.1:3000", cookie, "x-pawl-page-key": key }, 403],
    [{ cookie, "x-pawl-page-key": key }, 403],
  ];
  for (const [headers, status] of asks) {
    const answer = await send(`${origin}/ticket`, headers, { project: factory.project, ref: "1" });
    expect([answer.status, answer.text.includes('ticket":')]).toEqual([status, false]);
  }
});

test.for([
  ["is no JSON", "take", 1008],
  ["is of no known kind", JSON.stringify({ kind: "run", argv: ["sh"] }), 1008],
  ["has more than it may have", JSON.stringify({ kind: "take", by: "the owner" }), 1008],
  ["is binary", Buffer.from('{"kind":"take"}'), 1008],
  ["is too large", JSON.stringify({ kind: "keys", text: "x".repeat(70_000) }), 1009],
] as const)("a message that %s closes the WebSocket", async ([, message, code]) => {
  const device = await paired();
  const socket = open(device, { ticket: await ticketOf(device) });
  await nextOf(socket, "keyboard");
  socket.send(message);
  expect(await closeOf(socket)).toBe(code);
});

test("keys without the keyboard, and the keyboard without the scope, are refused; a revoked browser is cut off", async () => {
  const device = await paired("operate");
  const socket = open(device, { ticket: await ticketOf(device) });
  await nextOf(socket, "keyboard");
  socket.send(JSON.stringify({ kind: "keys", text: "rm -rf /\r" }));
  expect((await nextOf(socket, "refused")).why).toContain("does not have the keyboard");
  socket.send(JSON.stringify({ kind: "take" }));
  expect((await nextOf(socket, "refused")).why).toContain("--scope terminal");
  expect(await factory.ok("why", "1")).not.toContain("held by");
  const closed = closeOf(socket);
  await factory.ok("page", "revoke", device.id);
  expect(await closed).toBe(4001);
});

const say = (socket: WebSocket, message: FromBrowser): void => socket.send(JSON.stringify(message));

/** A browser that types. */
async function withKeyboard(device: Paired): Promise<WebSocket> {
  const socket = open(device, { ticket: await ticketOf(device) });
  await nextOf(socket, "keyboard");
  const told = new Promise<ToBrowser>((resolve) => {
    socket.on("message", (data: Buffer, isBinary) => {
      const message = isBinary ? undefined : (JSON.parse(data.toString()) as ToBrowser);
      const isOurs = message?.kind === "keyboard" && message.yours;
      if (message !== undefined && (isOurs || message.kind === "refused")) resolve(message);
    });
  });
  say(socket, { kind: "take" });
  expect(await told).toMatchObject({ kind: "keyboard" });
  return socket;
}

test("a revoked browser that keeps its WebSocket open has no keyboard any more", async () => {
  const [stubborn, other] = [await paired(), await paired()];
  const socket = await withKeyboard(stubborn);
  // It reads nothing, and so does not answer that the connection ends.
  socket.pause();
  await factory.ok("page", "revoke", stubborn.id);
  const second = await withKeyboard(other);
  say(second, { kind: "give" });
  expect((await nextOf(second, "keyboard")).holder).toBeNull();
  second.terminate();
  socket.terminate();
});

test("giving the keyboard back keeps a run held that the same browser held before", async () => {
  const device = await paired();
  const { origin, cookie, key } = device;
  const call = (verb: string): Promise<Answer> =>
    send(
      `${origin}/v1/runs/1/${verb}?project=${factory.project}`,
      { origin, cookie, "x-pawl-page-key": key },
      {},
    );
  expect((await call("hold")).status).toBe(200);
  const socket = await withKeyboard(device);
  say(socket, { kind: "give" });
  expect(await nextOf(socket, "keyboard")).toMatchObject({
    yours: false,
    holder: expect.stringContaining(device.id) as string,
  });
  socket.terminate();
  expect((await call("release")).status).toBe(200);
});

test("a daemon that dies while a browser has the keyboard leaves no run held", async () => {
  await withKeyboard(await paired());
  expect(await factory.ok("why", "1")).toContain("held by");
  const pid = (await factory.status()).daemon?.pid ?? 0;
  process.kill(pid, "SIGKILL");
  await factory.until("another daemon has released it", async () => {
    const { daemon } = await factory.status();
    if (daemon === undefined || daemon === null || daemon.pid === pid) return false;
    return !(await factory.ok("why", "1")).includes("held by");
  });
});

test("a client that sends half a request, or half a body, is cut off, and others are served meanwhile", async () => {
  const { origin, cookie, key } = await paired();
  const { port, host } = new URL(origin);
  const half = `GET / HTTP/1.1\r\nHost: ${host}\r\n`;
  const headers = `Origin: ${origin}\r\nCookie: ${cookie}\r\nx-pawl-page-key: ${key}\r\n`;
  const body = `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"project":`;
  const cutOff = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = "";
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
      socket.on("data", (part: Buffer) => (answer += part.toString()));
      socket.once("end", () => resolve(answer));
      socket.once("error", reject);
    });
  const slow = [half, `POST /ticket HTTP/1.1\r\nHost: ${host}\r\n${headers}${body}`].map(cutOff);
  expect((await fetch(`${origin}/`)).status).toBe(200);
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test("a browser that draws nothing is sent little of what a terminal babbles, and gets the screen again later", async () => {
  const device = await paired();
  const socket = open(device, { ticket: await ticketOf(device) });
  let bytes = 0;
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) bytes += data.length;
  });
  await nextOf(socket, "keyboard");
  socket.send(JSON.stringify({ kind: "take" }));
  await nextOf(socket, "keyboard");
  socket.send(JSON.stringify({ kind: "keys", text: "go\r" }));
  const [run] = (await factory.status()).runs;
  const log = run?.log_path ?? "";
  await factory.until("it has babbled", async () => (await stat(log)).size > 4_000_000);
  // One piece may come on top of what was allowed.
  expect(bytes).toBeLessThan(128 * 1024 + 32 * 1024);
  const again = nextOf(socket, "screen");
  socket.send(JSON.stringify({ kind: "parsed", bytes }));
  await again;
  socket.terminate();
});
