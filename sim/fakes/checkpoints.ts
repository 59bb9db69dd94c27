// The checkpoints of a simulated project, beyond making one (fakes/git.ts): who is told that files
// changed, and the chain that begins afresh once work has landed. Reading and restoring are for
// people at a command line, who are not part of a simulation.
import type { Checkpoints } from "../../src/ports/checkpoints.ts";
import type { Life } from "../life.ts";
import type { SimProject } from "../world.ts";

const SOON_MS = 200;

export function createFakeCheckpoints(life: Life, project: SimProject): Checkpoints {
  const { clock } = life.world;
  const notSimulated = async (): Promise<never> => {
    throw new Error("no simulation reads or restores checkpoints");
  };
  return {
    watch({ workspace, onChange }) {
      const watchers = project.fileWatchers.get(workspace) ?? new Set();
      project.fileWatchers.set(workspace, watchers);
      const tell = (): void => {
        if (!life.dead && watchers.has(watcher)) onChange();
      };
      const watcher = (): void => {
        if (life.dead) watchers.delete(watcher);
        else clock.after(SOON_MS, tell);
      };
      watchers.add(watcher);
      return { close: () => void watchers.delete(watcher) };
    },
    archive: async ({ identity }) => void project.checkpoints.delete(identity),
    identities: async () => [...project.checkpoints.keys()],
    thin: async () => 0,
    tidy: async () => undefined,
    push: async () => ({ kind: "pushed", refs: 0 }),
    recover: async () => [],
    landed: notSimulated,
    list: notSimulated,
    content: notSimulated,
    diff: notSimulated,
    restoreTo: notSimulated,
    restoreInto: notSimulated,
  };
}
