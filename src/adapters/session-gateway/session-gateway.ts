// Prepares the gateway of a session: its files, its sockets, and the commands that put one process
// of it around the agent. See gateway-main.ts for what runs there, inside-main.ts for the short way
// from the session's own loopback to its sockets.
import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import {
  SOCKETS_INSIDE,
  type GatewayRequest,
  type PreparedGateway,
  type SessionGateway,
} from "../../ports/session-gateway.ts";
import { removeTree } from "../shared/folder.ts";
import { readLifeRecord } from "../shared/life-record.ts";
import {
  readBooks,
  readEntry,
  settingsFile,
  writeEntry,
  writeSettings,
  writeSteering,
  type Door,
  type Entry,
  type Settings,
} from "./files.ts";
import { PROVIDERS } from "./providers.ts";

/** Inside, a session is alone on its loopback: the ports are always the same. */
const INSIDE = { proxy: 3128, model: 3129 };

export const sessionGateway: SessionGateway = {
  prepare,
  close: async ({ folder, sockets }) => {
    await removeTree(sockets);
    await rm(settingsFile(folder), { force: true });
  },
  steer: ({ folder, terms, hosts }) => writeSteering(folder, { terms, hosts }),
  usage: async (folder) => (await readBooks(folder))?.rows,
};

async function prepare(request: GatewayRequest): Promise<PreparedGateway> {
  const { folder, sockets, keys, hosts, isApart } = request;
  await mkdir(sockets, { recursive: true, mode: 0o700 });
  // A start that was cut short may have got as far as a living session: it keeps its token and port.
  const { token, port: free } = (await readEntry(folder)) ?? (await newEntry(folder));
  const port = keys.length === 0 ? undefined : isApart ? INSIDE.model : free;
  const model = port === undefined ? undefined : doorOf(isApart, join(sockets, "model"), port);
  const proxy = hosts === undefined ? undefined : { socket: join(sockets, "proxy") };
  await writeSteering(folder, { terms: request.terms, hosts: hosts ?? [] });
  const settings: Settings = { ...picked(request), token, model, proxy };
  const forwards = [
    ...(proxy === undefined ? [] : [`${INSIDE.proxy}=${SOCKETS_INSIDE}/proxy`]),
    ...(model !== undefined && "socket" in model
      ? [`${INSIDE.model}=${SOCKETS_INSIDE}/model`]
      : []),
  ];
  return {
    // Where a life is recorded its gateway has the keys: they are not left on the disk again.
    giveKeys: async () => {
      if ((await readLifeRecord(request.dir)) === undefined) await writeSettings(settings);
    },
    inside: (argv) =>
      forwards.length === 0 ? [...argv] : [...node("inside-main"), ...forwards, "--", ...argv],
    outside: (argv) => [...node("gateway-main"), settingsFile(folder), "--", ...argv],
    env: {
      ...(port === undefined ? {} : modelEnv(request, { port, token })),
      ...(proxy === undefined ? {} : proxyEnv(`http://127.0.0.1:${INSIDE.proxy}`)),
    },
  };
}

async function newEntry(folder: string): Promise<Entry> {
  const entry = { token: randomBytes(24).toString("base64url"), port: await freePort() };
  await writeEntry(folder, entry);
  return entry;
}

const picked = ({ dir, folder, limits, keys, spent, prices, retryMs }: GatewayRequest) => ({
  dir,
  folder,
  limits,
  keys: [...keys],
  spent,
  prices,
  retryMs,
});

const doorOf = (isApart: boolean, socket: string, port: number): Door =>
  isApart ? { socket } : { port };

/** In the bundle both programs lie beside this one. */
function node(name: "gateway-main" | "inside-main"): string[] {
  const file = `./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  const path = fileURLToPath(new URL(file, import.meta.url));
  return [process.execPath, "--disable-warning=ExperimentalWarning", path];
}

function modelEnv(
  { keys }: GatewayRequest,
  { port, token }: { port: number; token: string },
): Record<string, string> {
  const own = keys.map(({ name, provider }) => {
    const { env, cleared } = PROVIDERS[provider];
    const none = Object.fromEntries(cleared.map((variable) => [variable, ""]));
    return { ...none, ...env({ url: `http://127.0.0.1:${port}/${name}`, token }) };
  });
  const names = keys.map(({ provider }) => provider).join(" ");
  return Object.assign({ PAWL_GATEWAY: names }, ...own) as Record<string, string>;
}

/** curl, git and most others read the first; Node, npm, pip and cargo have words of their own. */
const proxyEnv = (url: string): Record<string, string> => ({
  HTTP_PROXY: url,
  HTTPS_PROXY: url,
  http_proxy: url,
  https_proxy: url,
  ALL_PROXY: url,
  NO_PROXY: LOOPBACK,
  no_proxy: LOOPBACK,
  NODE_USE_ENV_PROXY: "1",
  npm_config_proxy: url,
  npm_config_https_proxy: url,
  npm_config_noproxy: LOOPBACK,
  PIP_PROXY: url,
  CARGO_HTTP_PROXY: url,
  // Without it git would ask for a proxy of the user's own configuration.
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "http.proxy",
  GIT_CONFIG_VALUE_0: url,
});

const LOOPBACK = "localhost,127.0.0.1,::1";

/** Taken again a moment later by the gateway; where another program was quicker, it does not start. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
