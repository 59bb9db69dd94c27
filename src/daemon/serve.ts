// The daemon at work: the factory is opened, reconciled, and only then served on its socket. Ends
// on a signal or on request, leaving every agent alive.
import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { runAggregate, type ProjectName } from "../core/ids.ts";
import { isLive } from "../core/session/session.ts";
import { crashPointFrom } from "./crash-point.ts";
import { openFactory, type Factory, type FactoryPlace } from "./factory.ts";
import type { Log } from "./log.ts";
import { startMaintenance } from "./maintenance.ts";

/** How long `down --kill-agents` waits for agents to end and their work to be saved. */
const AGENTS_END_MS = 60_000;

export type Served = {
  factory: Factory;
  /** Resolves when a signal or a request ended it; everything is closed by then. */
  ended: Promise<void>;
  close(): Promise<void>;
};

export async function serveFactory(
  place: FactoryPlace & { log: Log; scope: (project: ProjectName) => boolean; register?: string },
): Promise<Served> {
  let finish: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const factory: Factory = await openFactory({
    ...place,
    crash: crashPointFrom(process.env),
    wants: () => true,
    daemon: { pid: process.pid, since: new Date().toISOString(), version: place.version },
    shutDown: async ({ killAgents }) => {
      if (killAgents) await endAgents(factory);
      // The answer leaves first.
      setImmediate(finish);
    },
  });
  const closing = closer(factory, place.log);
  try {
    if (place.register !== undefined) await factory.register(place.register);
    await factory.engine.start();
    closing.add(await listen(factory));
    closing.add(startMaintenance(factory, place.log));
  } catch (error) {
    await closing.close();
    throw error;
  }
  place.log.info({ home: place.home, version: place.version }, "the daemon serves");
  return { factory, ended: asked.then(closing.close), close: closing.close };
}

/** Closes once, in reverse order, whatever asks first. */
function closer(factory: Factory, log: Log) {
  const parts: { close(): Promise<void> }[] = [];
  let closed: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    for (const part of parts.toReversed()) await part.close();
    await factory.close();
    log.info({}, "the daemon has ended; agents live on");
  };
  return {
    add: (part: { close(): Promise<void> }) => parts.push(part),
    close: (): Promise<void> => {
      closed ??= closeAll();
      return closed;
    },
  };
}

async function listen(factory: Factory): Promise<{ close(): Promise<void> }> {
  const { socket } = factory.paths;
  // Ours by right of the lock: what is there was left behind by a daemon that died.
  await rm(socket, { force: true });
  const server: Server = createServer(getRequestListener(factory.app.fetch));
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socket, resolve);
    });
  } finally {
    process.umask(umask);
  }
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(socket, { force: true });
    },
  };
}

/** Every agent is stopped on purpose: its work is saved, and nothing starts it again by itself. */
async function endAgents(factory: Factory): Promise<void> {
  const { engine, store, ports } = factory;
  const living = async () =>
    (await store.aggregates()).flatMap(({ state }) =>
      state.kind === "run" && isLive(state.session) ? [state] : [],
    );
  const done = new Promise<void>((resolve, reject) => {
    const look = (): void => {
      living().then((runs) => {
        if (runs.length === 0) resolve();
      }, reject);
    };
    engine.onCommitted(look);
    ports.clock.after(AGENTS_END_MS, resolve);
    look();
  });
  for (const run of await living()) {
    const event = { kind: "run-stopped", at: ports.clock.now(), by: "pawl down" } as const;
    await engine.loop.submit({ to: runAggregate(run.project, run.id), event });
  }
  await done;
}
