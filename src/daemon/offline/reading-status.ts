// `pawl status` where no daemon runs: the same view as the API's, without the API around it. Web
// servers and their Request and Response cost 90 ms of CPU at every start.
import type { StatusView } from "../../api/runs.ts";
import { noCrash } from "../../lib/crash-point.ts";
import type { StoreReader } from "../../ports/store.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { openReadOnly } from "../../store/sqlite/open.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { knowProjects, withoutSecrets } from "../host/held-secrets.ts";
import { noLog } from "../host/no-log.ts";
import { pathsOf } from "../host/paths.ts";
import { readOnly } from "./read-only-store.ts";
import { scopeFor, type Asked } from "../routes/context.ts";
import { daemonRecord } from "../views/daemon.ts";
import { freshProject } from "../views/fresh-project.ts";
import { statusView } from "../views/status.ts";
import { createPorts } from "../host/wire.ts";

/** The daemon that does not answer, as it wrote itself down. */
async function lastDaemon(
  store: StoreReader,
  { version }: FactoryPlace,
): Promise<StatusView["daemon"]> {
  const known = await daemonRecord(store);
  return known === undefined
    ? null
    : { pid: known.pid, since: new Date(known.startedAt).toISOString(), version };
}

export async function readStatus(place: FactoryPlace, asked: Asked): Promise<StatusView> {
  const paths = pathsOf(place.home, place.runtime);
  const store = (await openReadOnly(paths.journal)) ?? createMemoryStore();
  try {
    await knowProjects(store, place.home);
    const ports = createPorts({ store: readOnly(store), paths, crash: noCrash, log: noLog });
    const daemon = place.isHanging === true ? await lastDaemon(store, place) : null;
    const own = { store, paths, version: place.version, daemon, now: ports.clock.now() };
    const scope = await scopeFor({ store }, asked);
    const refresh: Parameters<typeof statusView>[0]["refresh"] = (project) =>
      freshProject({ ports, daemon: null }, project);
    const view = await statusView({ ...own, scope, refresh });
    return withoutSecrets(view, (text) => ports.redact(text));
  } finally {
    await store.close();
  }
}
