// A factory, opened: one holder of the lock, its journal, its engine and its API. The daemon keeps
// it open and serves it; a command that finds no daemon opens it for as long as it needs.
import { shareLimits } from "../engine/share-limits.ts";
import { passStates } from "../engine/journal-crash-points.ts";
import type { Hono } from "hono";
import { makeHome } from "../../config/make-folder.ts";
import { usePrivate } from "../../config/private-folder.ts";
import type { ProjectName } from "../../core/ids.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import type { Store } from "../../ports/store.ts";
import { alreadyInUse } from "./already-in-use.ts";
import { acquireLock } from "../../store/lock.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { withCrashPoints } from "../engine/port-crash-points.ts";
import type { Keeper } from "../effects/executor.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { knowProjects } from "./held-secrets.ts";
import type { Log } from "./log.ts";
import type { Row } from "../engine/outbox.ts";
import type { Doctor } from "../patrol/doctor.ts";
import { pathsOf, type Paths } from "./paths.ts";
import type { Ports } from "../engine/ports.ts";
import { announcing, ChangeFeed } from "../publishing/change-feed.ts";
import { createRegister, readConfig } from "./register.ts";
import { createApp } from "../routes/app.ts";
import type { Routes } from "../routes/context.ts";
import { otherUpstream } from "./upstream-of.ts";
import { upgradeJournal, upgradeWhenRead } from "./upgrade-journal.ts";
import type { AnswerCall } from "../sessions/answer-session.ts";
import { createDeathNotes, type Kept } from "../engine/death-notes.ts";
import { createPorts, forgeOf } from "./wire.ts";

export type FactoryPlace = {
  home: string;
  runtime: string;
  version: string;
  /** A daemon runs and does not answer: what is read here is what it wrote down. */
  isHanging?: true;
};

export type FactoryOptions = FactoryPlace & {
  log: Log;
  crash: CrashPoint;
  scope: (project: ProjectName) => boolean;
  /** Which effects are carried out here; the rest waits in the journal. */
  wants: (row: Row) => boolean;
  observes?: boolean;
  keeper?: Keeper | undefined;
  /** What its keeper says of the daemon before, where it has a keeper. */
  kept?: Kept | undefined;
  shutDown?: Routes["shutDown"];
  page?: Routes["page"];
  /** Told to clients as the daemon; a passing command is none. */
  daemon: Routes["daemon"];
};

export type Factory = {
  store: Store;
  ports: Ports;
  paths: Paths;
  engine: Engine;
  app: Hono;
  feed: ChangeFeed;
  register: (folder: string, options?: { agrees?: boolean }) => Promise<ProjectName>;
  close(): Promise<void>;
};

export async function openFactory(options: FactoryOptions): Promise<Factory> {
  const paths = pathsOf(options.home, options.runtime);
  makeHome(paths.home);
  usePrivate(paths.runtime);
  const lock = acquireLock(paths.lock, { version: options.version });
  if (lock.kind === "busy") throw alreadyInUse(paths.home, lock.holder);
  try {
    const feed = new ChangeFeed();
    const now = Date.now();
    const journal = upgradeWhenRead(await openSqliteStore(paths.journal), now);
    const store = announcing(journal, feed);
    const { upgraded, unknown } = await upgradeJournal(store, now);
    if (unknown > 0) options.log.warn({ unknown }, "another Pawl left what this one does not know");
    if (upgraded > 0) options.log.info({ upgraded }, "states of an older Pawl were upgraded");
    await knowProjects(store, paths.home);
    const ports = await createPorts({ store, paths, crash: options.crash, log: options.log });
    return assemble(options, { paths, store, feed, ports, release: () => lock.release() });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function assemble(
  options: FactoryOptions,
  held: { paths: Paths; store: Store; feed: ChangeFeed; ports: Ports; release: () => void },
): Factory {
  const { paths, store, feed } = held;
  const { crash, log, scope, wants, version, daemon } = options;
  const ports = withCrashPoints(held.ports, crash);
  const onError = (error: unknown, about: string): void =>
    log.error({ about, error: errorFacts(error) }, `failed: ${about}`);
  const observes = options.observes ?? true;
  const own = { store, ports, paths, crash, readConfig, otherUpstream, onError };
  // Loaded when it is asked: no command needs it to start.
  const doctor = async (): Promise<Doctor> => {
    const { createDoctor } = await import("../patrol/doctor.ts");
    const writing = { engine, backup: (path: string) => engine.backup(path) };
    return createDoctor({ store, ports, paths, version, daemon, writing });
  };
  const { keeper } = options;
  const notes = createDeathNotes(paths.deathNote, options.kept);
  const answer: AnswerCall = (call) => answerBy(app, call);
  const asked = { wants, scope, observes, doctor, keeper, notes, answer };
  const engine: Engine = createEngine({ ...own, ...asked });
  passStates(engine, crash);
  shareLimits({ engine, store, now: () => ports.clock.now(), onError });
  const now = (): number => ports.clock.now();
  const registerFolder = createRegister({
    store,
    loop: engine.loop,
    now,
    forgeOf: (config) => forgeOf({ store, paths, crash }, config),
  });
  const register = async (folder: string, options?: { agrees?: boolean }): Promise<ProjectName> => {
    const name = await registerFolder(folder, options);
    // What waits there need not wait for the next round of looks.
    if (daemon !== null) engine.observe.nudge(name);
    return name;
  };
  const { shutDown, page } = options;
  const told = { store, ports, paths, version, daemon, feed };
  const app: Hono = createApp({ ...told, engine, register, shutDown, page });
  return {
    store,
    ports,
    paths,
    engine,
    app,
    feed,
    register,
    close: async () => {
      feed.close();
      engine.stop();
      notes.close();
      await ports.terminal.close();
      await store.close();
      held.release();
    },
  };
}

const answerBy = async (app: Hono, { path, headers }: Parameters<AnswerCall>[0]) => {
  const response = await app.request(path, { headers });
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    return { status: 406, body: { error: { code: "usage", message: `${path} is no document` } } };
  }
  return { status: response.status, body: await response.json() };
};

const errorFacts = (error: unknown): Record<string, unknown> =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        cause: error.cause === undefined ? undefined : errorFacts(error.cause),
      }
    : { message: String(error) };

export const everyProject = (): boolean => true;
