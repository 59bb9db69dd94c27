// `pawl status` where no daemon runs: the same view as the API's.
import type { StatusView } from "../../api/runs.ts";
import type { Project } from "../../core/project/project.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { projectMeant, type Asked } from "../routes/context.ts";
import { daemonRecord } from "../views/daemon.ts";
import type { Terminal } from "../views/crash-cause.ts";
import { statusView } from "../views/status.ts";
import { refreshed } from "./own-issues.ts";
import { readJournal } from "./read-journal.ts";

export const readStatus = (place: FactoryPlace, asked: Asked): Promise<StatusView> =>
  readJournal(place, async (journal) => {
    const { store, now } = journal;
    const daemon = place.isHanging === true ? await lastDaemon(store, place) : null;
    const project = await projectMeant({ store }, asked);
    const refresh = (one: Project): Promise<Project> => refreshed(store, one, now);
    const terminal: Terminal = async (run) =>
      (await import("./terminal-of.ts")).terminalOf(journal.paths)(run);
    return statusView({ ...journal, version: place.version, daemon, project, refresh, terminal });
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
