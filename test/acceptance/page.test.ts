// Who may speak to the page: over real connections, as a stranger on loopback would.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { request, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PairedView } from "../../src/api/page.ts";
import { makeFactory, SCRIPT_AGENT, TEST_GATE, writeFiles, type Factory } from "../support/pawl.ts";
import { openPty } from "../support/pty.ts";

let factory: Factory;
beforeEach(async () => {
  factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}`,
    files: { "test.sh": "true\n" },
  });
  await factory.ok("init", "--yes");
  await factory.ok("up");
});
afterEach(async () => factory[Symbol.asyncDispose]());

type Answer = { status: number; text: string; headers: IncomingHttpHeaders };
type Asked = { method?: string; headers?: Record<string, string>; body?: string };

const send = (url: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => (text += part.toString()));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
      );
    });
    call.on("error", reject);
    call.end(body);
  });

const codeOf = ({ text }: Answer): string =>
  (JSON.parse(text) as { error?: { code: string } }).error?.code ?? "none";

async function newLink(scope = "operate"): Promise<{ origin: string; code: string }> {
  const link = new URL((await factory.ok("page", "open", "--no-open", "--scope", scope)).trim());
  return { origin: link.origin, code: link.hash.replace("#pair=", "") };
}

const pairWith = ({ origin, code }: { origin: string; code: string }): Promise<Answer> =>
  send(`${origin}/pair`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });

type Paired = { origin: string; cookie: string; key: string };

async function paired(scope?: string): Promise<Paired> {
  const link = await newLink(scope);
  const answer = await pairWith(link);
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return { origin: link.origin, cookie, key: (JSON.parse(answer.text) as PairedView).key };
}

const as = ({ cookie, key }: Paired): Record<string, string> => ({
  cookie,
  "x-pawl-page-key": key,
});

test("a link pairs one browser once, and its cookie is out of reach for scripts and other sites", async () => {
  const link = await newLink();
  const answer = await pairWith(link);
  expect(answer.status).toBe(200);
  expect(answer.headers["set-cookie"]?.[0]).toMatch(
    /; HttpOnly; SameSite=Strict; Path=\/; Max-Age=/,
  );
  expect([answer.text.includes(link.code), codeOf(await pairWith(link))]).toEqual([
    false,
    "no-pairing",
  ]);
});

test("a cookie without the key of its origin, or a key without its cookie, opens nothing", async () => {
  const device = await paired();
  const other = await paired();
  const status = `${device.origin}/v1/status?all=true`;
  expect((await send(status, { headers: as(device) })).status).toBe(200);
  const stolen: Record<string, string>[] = [
    {},
    { cookie: device.cookie },
    { "x-pawl-page-key": device.key },
    as({ ...device, key: other.key }),
    as({ ...device, cookie: `${device.cookie}x` }),
    as({ ...device, cookie: "pawl_1=a.b" }),
  ];
  for (const headers of stolen) expect(codeOf(await send(status, { headers }))).toBe("not-paired");
});

test("a device does only what its scope allows, under its own name whatever it claims", async () => {
  const viewer = await paired("view");
  const pause = (device: Paired): Promise<Answer> =>
    send(`${device.origin}/v1/queue/pause?project=${factory.project}`, {
      method: "POST",
      headers: { ...as(device), origin: device.origin, "content-type": "application/json" },
      body: JSON.stringify({ by: "the owner", why: "a look" }),
    });
  expect(codeOf(await pause(viewer))).toBe("wrong-scope");
  expect((await pause(await paired("operate"))).status).toBe(200);
  const { paused } = JSON.parse(await factory.ok("merge-queue", "status", "--json")) as {
    paused: { by: string };
  };
  expect(paused.by).toMatch(/^browser \(page [0-9a-f]{8}\)$/);
});

test("what the page has no use for does not exist there, also for a paired device", async () => {
  const device = await paired();
  for (const path of ["daemon/stop", "projects", "page/links", "forges/prepare", "recover"]) {
    const headers = { ...as(device), origin: device.origin, "content-type": "application/json" };
    const answer = await send(`${device.origin}/v1/${path}`, {
      method: "POST",
      headers,
      body: "{}",
    });
    expect([path, codeOf(answer)]).toEqual([path, "no-route"]);
  }
  expect((await factory.status()).daemon).not.toBeNull();
});

test("strangers on loopback are refused, and every answer forbids frames and foreign scripts", async () => {
  const device = await paired();
  const { origin } = device;
  const json = { "content-type": "application/json" };
  const refused: [Asked, number][] = [
    [{ headers: { ...as(device), host: "evil.example" } }, 421],
    [{ headers: { ...as(device), origin: "http://127.0.0.1:3000" } }, 403],
    [{ headers: { ...as(device), "sec-fetch-site": "same-site" } }, 403],
    [{ method: "POST", headers: { ...as(device), ...json }, body: "{}" }, 403],
    [{ method: "POST", headers: { ...as(device), origin }, body: "{}" }, 415],
    [{ method: "OPTIONS", headers: { origin: "https://evil.example" } }, 405],
  ];
  for (const [asked, status] of refused) {
    const answer = await send(`${origin}/v1/status`, asked);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  }
  const large = await send(`${origin}/v1/queue/pause?project=${factory.project}`, {
    method: "POST",
    headers: { ...as(device), origin, ...json },
    body: JSON.stringify({ why: "x".repeat(300_000) }),
  });
  expect(large.status).toBe(413);
});

test("an upgrade to a WebSocket is refused, and the page goes on answering", async () => {
  const { origin } = await newLink();
  const { port, host } = new URL(origin);
  const lines = [
    "GET /v1/changes HTTP/1.1",
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const first = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () =>
      socket.write(`${lines.join("\r\n")}\r\n\r\n`),
    );
    socket.once("data", (part: Buffer) => {
      socket.destroy();
      resolve(part.toString());
    });
    socket.once("error", reject);
  });
  expect(first).toMatch(/^HTTP\/1\.1 403 /);
  expect((await send(`${origin}/`)).status).toBe(200);
});

test("a browser keeps files whose names say their content, and asks for the page itself each time", async () => {
  const { origin } = await newLink();
  const page = await send(`${origin}/`);
  expect(page.headers["cache-control"]).toBe("no-cache");
  const files = [...page.text.matchAll(/"(\/page-[^"]+)"/g)].map(([, path]) => path);
  expect(files.map((path) => path?.split(".").at(-1))).toEqual(["css", "js"]);
  for (const path of files) {
    const file = await send(`${origin}${path}`);
    expect([file.status, file.headers["cache-control"]]).toEqual([
      200,
      expect.stringContaining("immutable"),
    ]);
  }
});

test("behind a proxy with TLS that factory.toml names, the page pairs and answers at that origin alone", async () => {
  const elsewhere = "https://box.example.ts.net";
  const { host } = new URL(elsewhere);
  await factory.ok("down");
  writeFileSync(join(factory.home, "factory.toml"), `[page]\norigins = ["${elsewhere}"]\n`);
  await factory.ok("up");
  const { stdout, stderr } = await factory.pawl("page", "open", "--no-open");
  const { origin, hash } = new URL(stdout.trim());
  expect(stderr).toContain(`${elsewhere}/${hash}`);
  const json = { host, "content-type": "application/json" };
  const body = JSON.stringify({ code: hash.replace("#pair=", "") });
  const pairFrom = (from: string): Promise<Answer> =>
    send(`${origin}/pair`, { method: "POST", headers: { ...json, origin: from }, body });
  for (const from of ["http://box.example.ts.net", "https://x.box.example.ts.net", origin]) {
    expect([from, codeOf(await pairFrom(from))]).toEqual([from, "wrong-origin"]);
  }
  const answer = await pairFrom(elsewhere);
  expect(answer.headers["set-cookie"]?.[0]).toContain("; Secure");
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const key = (JSON.parse(answer.text) as PairedView).key;
  const headers = { ...as({ origin, cookie, key }), host };
  expect((await send(`${origin}/v1/status?all=true`, { headers })).status).toBe(200);
  const other = { ...headers, host: "box.example.ts.net.evil.example" };
  expect((await send(`${origin}/v1/status?all=true`, { headers: other })).status).toBe(421);
});

test("the page listens nowhere else, and the refusal names the line that works", async () => {
  const { port } = new URL((await newLink()).origin);
  const { code, stderr } = await factory.pawl("page", "--bind", "0.0.0.0");
  expect(code).toBe(2);
  expect(stderr).toContain("cannot serve the page at 0.0.0.0");
  expect(stderr).toContain(`ssh -L ${port}:127.0.0.1:${port} `);
});

test("`pawl page` opens its link in the browser where a person sits at a screen, and prints it in any case", async () => {
  const bin = join(factory.root, "bin");
  writeFiles(bin, { "xdg-open": `#!/bin/sh\nprintf '%s' "$1" > ${factory.root}/opened\n` });
  chmodSync(join(bin, "xdg-open"), 0o755);
  const PATH = `${bin}:${factory.env["PATH"] ?? ""}`;
  const env = { ...factory.env, PATH, DISPLAY: ":9" };
  using pty = openPty({ ...factory, env }, { columns: 200, rows: 20 }, ["page"]);
  await factory.until("the command has ended", async () => !pty.isRunning());
  const opened = await factory.until("a browser was opened", async () => {
    const file = join(factory.root, "opened");
    return existsSync(file) && readFileSync(file, "utf8");
  });
  expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]+$/);
  expect(pty.screen().join("\n")).toContain(opened);
});

test("without a daemon `pawl page` says what to do", async () => {
  await factory.ok("down");
  const { code, stderr } = await factory.pawl("page");
  expect([code, stderr]).toEqual([1, expect.stringContaining("pawl up")]);
});
