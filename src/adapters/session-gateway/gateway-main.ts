// The process of a session that stands outside its walls: `node gateway-main.js SETTINGS -- COMMAND`.
// Opens the ways out, then runs the command and ends with it. Where a way cannot be opened, nothing
// is run. What it says on standard error is seen in the session's log.
import { chmod, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import process from "node:process";
import { hasCode } from "../../lib/error-code.ts";
import { atMost } from "../shared/at-most.ts";
import { createSpool, type SpoolWriter } from "../shared/agent-host/spool-writer.ts";
import { followSteering, takeSettings, type Door, type Settings } from "./files.ts";
import { Ledger } from "./ledger.ts";
import { ModelGateway } from "./model-gateway.ts";
import { createProxy } from "./network-proxy.ts";
import { runChild } from "./run-child.ts";

/** How long the books of the last requests may take. */
const FINISH_MS = 2_000;
/** As for a program that cannot be started: a person is asked. */
const CANNOT_START = 126;
/** As for a program that died: the next life takes another port. */
const PORT_TAKEN = 1;

async function main(): Promise<void> {
  const [path = "", , ...argv] = process.argv.slice(2);
  const settings = await takeSettings(path);
  if (settings === undefined) throw new Error(`${path} cannot be read`);
  const report = createSpool(settings.dir);
  const { model, proxy } = settings;
  const gateway = model === undefined ? undefined : await modelGateway(settings, report);
  if (gateway !== undefined && model !== undefined) await open(serverOf(gateway), model);
  if (proxy !== undefined) await open(proxyServer(settings, report), proxy);
  runChild(argv, () => atMost(FINISH_MS, gateway?.close() ?? Promise.resolve()));
}

async function modelGateway(settings: Settings, report: SpoolWriter): Promise<ModelGateway> {
  const ledger = new Ledger({ ...settings, report });
  await ledger.open();
  const steering = followSteering(settings.folder);
  return new ModelGateway({ ...settings, steering, ledger, report, now: Date.now });
}

const serverOf = (gateway: ModelGateway): Server =>
  createServer((request, response) => {
    gateway.serve(request, response).catch(() => response.destroy());
  });

function proxyServer({ folder }: Settings, report: SpoolWriter): Server {
  const steering = followSteering(folder);
  const told = new Set<string>();
  return createProxy({
    hosts: () => steering.now().hosts,
    onRefused: ({ target, why }) => {
      // An agent that tries again and again fills no spool.
      if (told.has(target) || told.size >= TOLD_MAX) return;
      told.add(target);
      report({ kind: "refused-host", host: target, why }).catch(complain);
    },
  });
}

const TOLD_MAX = 1000;

async function open(server: Server, door: Door): Promise<void> {
  if ("socket" in door) await rm(door.socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if ("port" in door) server.listen(door.port, "127.0.0.1", resolve);
    else server.listen(door.socket, resolve);
  });
  if ("socket" in door) await chmod(door.socket, 0o600);
}

/** A fact that cannot be reported stops nothing: the request was refused all the same. */
const complain = (error: unknown): void => {
  process.stderr.write(`pawl: the gateway cannot report: ${String(error)}\r\n`);
};

main().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`pawl: cannot open the session's gateway, so no agent starts: ${why}\r\n`);
  process.exit(hasCode(error, ["EADDRINUSE"]) ? PORT_TAKEN : CANNOT_START);
});
