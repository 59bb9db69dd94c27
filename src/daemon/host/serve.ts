// The daemon at work: the factory is opened, reconciled, and only then served on its socket. Ends
// on a signal or on request, leaving every agent alive.
import { chmod, rename, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { openProgramStarter } from "../../adapters/shared/program-starter.ts";
import type { ProjectName } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Kept } from "../engine/death-notes.ts";
import { crashPointFrom } from "../engine/crash-at.ts";
import { registerDaemon } from "./daemon-identity.ts";
import { endAgents } from "../sessions/end-agents.ts";
import { openFactory, type Factory, type FactoryOptions, type FactoryPlace } from "./factory.ts";
import { loadAdapters } from "./load-adapters.ts";
import type { Log } from "./log.ts";
import { startMaintenance } from "./maintenance.ts";
import { startDispatcher } from "../notify/start-dispatcher.ts";
import { createPage, resumePage, type Page } from "../page/start-page.ts";
import { pathsOf } from "./paths.ts";
import { tellSystemd } from "./tell-systemd.ts";
import { startWebhooks } from "../webhooks/start-webhooks.ts";

/** After so long, requests are answered while the start is still looking at projects. */
const LISTEN_MAX_MS = 1000;
/** How long a passing command may hold the factory before a daemon gives up on it. */
const FREE_MAX_MS = 10_000;
const FREE_LOOK_MS = 50;
/** For answers that are on their way when the daemon ends. */
const ANSWER_MAX_MS = 1000;

export type Served = {
  factory: Factory;
  /** Resolves when a signal or a request ended it; everything is closed by then. */
  ended: Promise<void>;
  /** It ended for another daemon to continue, or because a person stopped it. */
  why(): "renewed" | "stopped" | undefined;
  close(): Promise<void>;
  /** Ends the agents of the scope, saves their work, and closes. */
  endWithAgents(): Promise<void>;
};

type ServePlace = FactoryPlace & {
  log: Log;
  scope: (project: ProjectName) => boolean;
  register?: string;
  /** Called before anything is done, and waited for. */
  onOpened?: (factory: Factory) => Promise<void>;
  /** A keeper starts it again when it ends. */
  kept?: Kept | undefined;
  /** Which build runs, as `pawl --version` says it. */
  build: string;
  /** A command in a terminal, not the daemon in the background. */
  foreground?: true;
};

export async function serveFactory(place: ServePlace): Promise<Served> {
  let finish: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let ending = false;
  let why: "renewed" | "stopped" | undefined;
  const renew = (): void => {
    why = "renewed";
    // Its outcome is written down first, where that is quick.
    setImmediate(finish);
  };
  const shutDown = async ({ killAgents }: { killAgents: boolean }): Promise<void> => {
    ending = killAgents;
    try {
      if (killAgents) await endAgents(factory, (run) => place.scope(run.project));
    } finally {
      why = "stopped";
      // The answer leaves first.
      setImmediate(finish);
    }
  };
  let page: Page | undefined;
  const factory: Factory = await openWhenFree({
    ...place,
    keeper: place.kept !== undefined ? { since: Date.now(), renew } : undefined,
    crash: crashPointFrom(process.env),
    wants: (row) => !ending || row.effect.kind !== "spawn-session",
    page: () => page,
    daemon: {
      pid: process.pid,
      since: new Date().toISOString(),
      version: place.version,
      build: place.build,
      ...(place.foreground && { foreground: true }),
    },
    shutDown,
  });
  await place.onOpened?.(factory);
  // Before the first request: a start that looks at a slow forge answers them for long before it is over.
  const own = createPage(factory);
  page = own;
  const closing = await startParts(factory, place, own);
  resumePage(own, place.log);
  place.log.info({ home: place.home, version: place.version }, "the daemon serves");
  const ended = asked.then(closing.close);
  const endWithAgents = async (): Promise<void> => {
    await shutDown({ killAgents: true });
    await ended;
  };
  return { factory, ended, close: closing.close, endWithAgents, why: () => why };
}

/** Everything that works for as long as the daemon runs. What was started is closed on a failure. */
async function startParts(
  factory: Factory,
  place: ServePlace,
  page: Page,
): Promise<ReturnType<typeof closer>> {
  const closing = closer(factory, place.log);
  try {
    await closing.startProgramsBeside(factory.paths.runtime);
    await loadAdapters();
    if (place.register !== undefined) await factory.register(place.register);
    closing.add(await registerDaemon(factory, place.log));
    const started = factory.engine.start();
    // Looks at many projects, or at a slow forge, must not keep questions from being answered.
    await Promise.race([started, wait(LISTEN_MAX_MS, undefined, { ref: false })]);
    closing.add(await listen(factory));
    await started;
    closing.add(startMaintenance(factory, place.log));
    closing.add(tellSystemd(factory.ports.clock, place.log));
    closing.add(startDispatcher(factory, place));
    closing.add(await startWebhooks(factory, place));
    closing.add(page);
    return closing;
  } catch (error) {
    // A request may have opened it already; its listener would keep the process alive.
    closing.add(page);
    await closing.close();
    throw error;
  }
}

/** A passing command frees the factory in a moment; a daemon that answers does not. */
async function openWhenFree(options: FactoryOptions): Promise<Factory> {
  const { socket } = pathsOf(options.home, options.runtime);
  const until = Date.now() + FREE_MAX_MS;
  for (;;) {
    try {
      return await openFactory(options);
    } catch (error) {
      const busy = error instanceof OperationError && error.code === "daemon-running";
      if (!busy || Date.now() >= until || (await isServed(socket))) throw error;
    }
    await wait(FREE_LOOK_MS);
  }
}

function isServed(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const answer = (served: boolean) => (): void => {
      connection.destroy();
      resolve(served);
    };
    connection.once("connect", answer(true));
    connection.once("error", answer(false));
  });
}

/** Closes once, in reverse order, for every kind of caller. */
function closer(factory: Factory, log: Log) {
  const parts: { close(): Promise<void> }[] = [];
  let closed: Promise<void> | undefined;
  let programs: { close(): Promise<void> } | undefined;
  const closeAll = async (): Promise<void> => {
    for (const part of parts.toReversed()) await part.close();
    await factory.close();
    // Last: until then programs are waited for.
    await programs?.close();
    log.info({}, "the daemon has stopped; agents keep running");
  };
  return {
    add: (part: { close(): Promise<void> }) => parts.push(part),
    startProgramsBeside: async (folder: string): Promise<void> => {
      const onLost = (ended: number): void =>
        log.warn({ ended }, "the process that starts programs has died; another one follows");
      programs = await openProgramStarter({ folder, onLost });
    },
    close: (): Promise<void> => {
      closed ??= closeAll();
      return closed;
    },
  };
}

async function listen(factory: Factory): Promise<{ close(): Promise<void> }> {
  const { socket } = factory.paths;
  // Renamed when it listens: a command that waits for the socket finds it ready. Both names are ours by
  // right of the lock: what is there was left behind by a daemon that died.
  const opening = join(dirname(socket), "daemon.new");
  for (const path of [opening, socket]) await rm(path, { force: true });
  const answer = getRequestListener(factory.app.fetch);
  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  // A program that is started meanwhile has this umask, too: its folders must stay open to their owner.
  const umask = process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(opening, resolve);
    });
    await chmod(opening, 0o600);
    await rename(opening, socket);
  } finally {
    process.umask(umask);
  }
  return {
    close: async () => {
      // Followers are let go first: the server waits for every connection.
      factory.feed.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), ANSWER_MAX_MS);
      await closed;
      clearTimeout(timer);
      await rm(socket, { force: true });
    },
  };
}
