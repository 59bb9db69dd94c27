// Invariant (f): nothing is removed that is not proven landed or saved. Every workspace that goes
// must be on a checkpoint exactly as it is.
import { savedContent } from "../fakes/git.ts";
import { contentOf, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function workspaces(world: World): Checker {
  const name = "workspaces";
  return {
    name,
    hear(fact) {
      if (fact.kind !== "workspace-removed" || !fact.workspace.complete) return;
      const project = world.project(fact.project);
      const identity = fact.path.slice(fact.path.lastIndexOf("/") + 1);
      const saved = project.checkpoints.get(identity);
      const content = contentOf(project, fact.workspace);
      const isSaved = saved !== undefined && savedContent(project, saved) === content;
      const asOnTarget =
        project.repository.tree(fact.workspace.files) === project.repository.treeOf(project.target);
      if (!isSaved && !asOnTarget) {
        world.fail(name, `${fact.path} is removed with unsaved work: ${content}`);
      }
      const inUse = [...world.processes.values()].find(
        (process) => process.workspace === fact.path && process.alive,
      );
      if (inUse !== undefined) world.fail(name, `${fact.path} is removed under a living agent`);
    },
  };
}
