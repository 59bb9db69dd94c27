// What `pawl status` shows people at this moment of simulated time.
import { projectAggregate, type ProjectName } from "../src/core/ids.ts";
import type { Project } from "../src/core/project/project.ts";
import { statusView } from "../src/daemon/views/status.ts";
import type { World } from "./world.ts";

/**
 * Between backlogs that it reads by itself, the view waits for turns of the event loop. The simulator
 * holds those back, for half an hour of simulated time for instance, so that the backlogs are read here.
 */
export function shownNow(
  { store, paths, clock }: World,
  project: ProjectName | undefined,
): ReturnType<typeof statusView> {
  const refresh = async (brief: Project): Promise<Project> => {
    const state = (await store.load(projectAggregate(brief.name)))?.state;
    return state?.kind === "project" ? state : brief;
  };
  const now = clock.now();
  return statusView({ store, paths, now, version: "", daemon: null, project, refresh });
}
