// `pawl status` where no daemon runs: the same view as the API's.
import type { StatusView } from "../../api/runs.ts";
import type { Project } from "../../core/project/project.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { scopeFor, type Asked } from "../routes/context.ts";
import { daemonRecord } from "../views/daemon.ts";
import { hasOwnTracker, withBacklog } from "../views/fresh-project.ts";
import { statusView } from "../views/status.ts";
import { readJournal } from "./read-journal.ts";
import { readOnly } from "./read-only-store.ts";

export const readStatus = (place: FactoryPlace, asked: Asked): Promise<StatusView> =>
  readJournal(place, async (journal) => {
    const { store, now } = journal;
    const daemon = place.isHanging === true ? await lastDaemon(store, place) : null;
    const scope = await scopeFor({ store }, asked);
    const refresh = async (project: Project): Promise<Project> => {
      if (!hasOwnTracker(project)) return project;
      const { ownTracker } = await import("../host/forges.ts");
      const { name } = project;
      return withBacklog(
        project,
        ownTracker({ store: readOnly(store), project: name, now: () => now }),
      );
    };
    return statusView({ ...journal, version: place.version, daemon, scope, refresh });
  });

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
