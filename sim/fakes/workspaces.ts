// What a simulated workspace needs besides git: nothing, because simulated projects copy no files
// and set nothing up. A commit can be seen from outside, as it can with the real ones.
import type { Workspaces } from "../../src/ports/workspace.ts";
import type { World } from "../world.ts";

export const createFakeWorkspaces = (world: World): Workspaces => ({
  setUp: async () => undefined,
  tearDown: async () => undefined,
  stamp: async (path) => {
    for (const { workspaces } of world.projects.values()) {
      const workspace = workspaces.get(path);
      if (workspace !== undefined) return workspace.head;
    }
    return undefined;
  },
});
