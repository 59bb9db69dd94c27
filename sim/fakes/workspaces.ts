// What a simulated workspace needs besides git: nothing, because simulated projects copy no files. Its
// set-up may fail for a while, as a command of the user's does. A commit can be seen from outside, as it
// can with the real ones.
import type { Workspaces } from "../../src/ports/workspace.ts";
import type { SimProject, World } from "../world.ts";

const BROKEN_MAX_MS = 3 * 3_600_000;

export const createFakeWorkspaces = (world: World): Workspaces => ({
  setUp: async ({ path }) => {
    const project = projectOf(world, path);
    if (project === undefined) return undefined;
    const ok = !isBroken(world, project);
    world.tell({ kind: "set-up-tried", project: project.name, ok });
    return ok ? undefined : { why: "`set-up`: exit code 7", logTail: "no registry" };
  },
  tearDown: async ({ path }) => {
    const project = projectOf(world, path);
    const workspace = project?.workspaces.get(path);
    if (project === undefined || workspace === undefined) return undefined;
    world.tell({ kind: "workspace-torn-down", project: project.name, path, workspace });
    return undefined;
  },
  stamp: async (path) => projectOf(world, path)?.workspaces.get(path)?.head,
});

function projectOf(world: World, path: string): SimProject | undefined {
  for (const project of world.projects.values()) if (project.workspaces.has(path)) return project;
  return undefined;
}

function isBroken({ faults, clock }: World, project: SimProject): boolean {
  if (!faults.on) return false;
  const now = clock.monotonicMs();
  const isNew = project.noSetUpUntil <= now && faults.strikes("setUpBroken");
  if (isNew) project.noSetUpUntil = now + faults.lengthMs(BROKEN_MAX_MS);
  return project.noSetUpUntil > now;
}
