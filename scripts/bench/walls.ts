// What walls cost at the start of a session, and how soon a 429 of one session keeps another one of the
// same key from asking.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FollowedFile, type Steering } from "../../src/adapters/session-gateway/files.ts";
import { Ledger } from "../../src/adapters/session-gateway/ledger.ts";
import { ModelGateway } from "../../src/adapters/session-gateway/model-gateway.ts";
import { createBwrapWalls } from "../../src/adapters/walls-bwrap/bwrap-walls.ts";
import type { Room } from "../../src/ports/walls.ts";
import { ms, print, quantiles } from "./place.ts";

const ROUNDS = 30;

export async function benchWalls(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "pawl-bench-walls-"));
  try {
    await benchStart(root);
    await benchLimit(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function benchStart(root: string): Promise<void> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(root, "home") };
  mkdirSync(env.HOME);
  const lists = { hosts: [], read: [], write: [], devices: [] };
  const isolation = { mode: "bwrap", network: "open", tmpMb: 16, ...lists } as const;
  const room: Room = { isolation, read: [], hidden: [], masked: [], cwd: root, env, write: [] };
  const walls = createBwrapWalls();
  const took = async (start: () => Promise<string[]>): Promise<number> => {
    const begin = performance.now();
    const [program = "", ...words] = await start();
    spawnSync(program, words, { cwd: root, env });
    return performance.now() - begin;
  };
  const bare: number[] = [];
  const walled: number[] = [];
  // As before a session: a look from inside first, then the program.
  const look = async (): Promise<string[]> => {
    await walls.probe(room);
    return walls.around(room, ["true"]);
  };
  await took(look);
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await took(async () => ["true"]));
    walled.push(await took(look));
  }
  const more = quantiles(walled).p50 - quantiles(bare).p50;
  print("walls: more time until a program starts, with the look from inside", ms(more), "< 30 ms");
}

/** Two sessions of one key in one process: what lies between them is a file, as in the real ones. */
async function benchLimit(root: string): Promise<void> {
  let answered = 0;
  const provider = createServer((request, response) => {
    request.resume().on("end", () => {
      answered = performance.now();
      response.writeHead(429, { "retry-after": "60" }).end("{}");
    });
  });
  const url = await listening(provider);
  const paused: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const limits = join(root, `limits-${round}`);
    const [first, second] = [gateway(limits, url), gateway(limits, url)];
    const [one, other] = [await listening(first), await listening(second)];
    const asked = ask(one);
    let status = 0;
    // The other one asks all the time; the first answer that is the gateway's own ends it.
    while (status !== 429) ({ status } = await fetch(`${other}/work/v1/models`, { headers: AUTH }));
    paused.push(Math.max(0, performance.now() - answered));
    await asked;
    first.close();
    second.close();
  }
  provider.close();
  print(
    "429 of one session → another one of the key is refused",
    ms(quantiles(paused).max),
    "< 50 ms",
  );
}

const AUTH = { authorization: "Bearer token" };

const ask = (url: string): Promise<Response> =>
  fetch(`${url}/work/v1/messages`, { method: "POST", headers: AUTH, body: "{}" });

function gateway(limits: string, url: string): Server {
  const folder = mkdtempSync(join(tmpdir(), "pawl-bench-gateway-"));
  const report = async (): Promise<void> => {};
  const terms = { budget: undefined, from: { tokens: 0, usd: 0 }, closed: undefined };
  const steering = new FollowedFile<Steering>(join(folder, "none"), () => ({ terms, hosts: [] }));
  const served = new ModelGateway({
    token: "token",
    keys: [{ name: "work", provider: "anthropic", url, secret: "s" }],
    limits,
    retryMs: 60_000,
    spent: { tokens: 0, usd: 0 },
    steering,
    prices: {},
    ledger: new Ledger({ folder, report, prices: {} }),
    report,
    now: Date.now,
  });
  return createServer((request, response) => void served.serve(request, response));
}

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
