// The issues of a project without a forge, read from the journal. Loaded where a project has such.
import { projectAggregate } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import type { Forge } from "../../ports/forge.ts";
import type { StoreReader } from "../../ports/store.ts";
import { hasOwnTracker, withBacklog } from "../views/fresh-project.ts";
import { readOnly } from "./read-only-store.ts";

export async function issuesOf(
  store: StoreReader,
  { name: project }: Pick<Project, "name">,
  now: number,
): Promise<Forge> {
  const { ownTracker } = await import("../host/forges.ts");
  return ownTracker({ store: readOnly(store), project, now: () => now });
}

/**
 * The project with its backlog as it is now; a forge over a network is not asked, and what was last
 * seen there is what is known. The backlog of `project` itself does not matter.
 */
export async function refreshed(
  store: StoreReader,
  project: Project,
  now: number,
): Promise<Project> {
  const tracker = hasOwnTracker(project) ? await issuesOf(store, project, now) : undefined;
  if (tracker !== undefined && (await tracker.revision?.()) !== project.seenRevision) {
    return withBacklog(project, tracker);
  }
  const stored = (await store.load(projectAggregate(project.name)))?.state;
  return stored?.kind === "project" ? stored : project;
}
