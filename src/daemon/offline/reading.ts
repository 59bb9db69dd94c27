// A factory, opened for reading: needs no lock, works beside a daemon, makes nothing. It leaves out
// the engine and the configuration's schema, because a command that reads is felt to start.
import type { Hono } from "hono";
import { noCrash } from "../../lib/crash-point.ts";
import type { StoreReader } from "../../ports/store.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { openReadOnly } from "../../store/sqlite/open.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { knowProjects } from "../host/held-secrets.ts";
import { noLog } from "../host/no-log.ts";
import { pathsOf } from "../host/paths.ts";
import { readOnly } from "./read-only-store.ts";
import { createApp } from "../routes/app.ts";
import { createPorts } from "../host/wire.ts";

export async function openForReading(
  place: FactoryPlace,
): Promise<{ app: Hono; close(): Promise<void> }> {
  const paths = pathsOf(place.home, place.runtime);
  const store: StoreReader = (await openReadOnly(paths.journal)) ?? createMemoryStore();
  await knowProjects(store, place.home);
  const ports = await createPorts({ store: readOnly(store), paths, crash: noCrash, log: noLog });
  const app = createApp({
    store,
    ports,
    paths,
    version: place.version,
    daemon: null,
    engine: undefined,
    feed: undefined,
    register: undefined,
    shutDown: undefined,
    page: undefined,
  });
  return {
    app,
    // The terminal is left alone: nothing was started there, and asking tmux costs a process.
    close: () => store.close(),
  };
}
