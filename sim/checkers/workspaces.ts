// Invariant (f): nothing is removed that is not proven landed or saved. Every workspace that goes
// must be on a checkpoint exactly as it is, and already when the user's own teardown begins, which may
// delete any file of it.
import { savedContent } from "../fakes/git.ts";
import { contentOf, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function workspaces(world: World): Checker {
  const name = "workspaces";
  return {
    name,
    hear(fact) {
      const isTornDown = fact.kind === "workspace-torn-down";
      if (fact.kind !== "workspace-removed" && !isTornDown) return;
      // What a person wrote there at the last moment is saved with the removal.
      if (!fact.workspace.complete || (isTornDown && fact.workspace.handEdited)) return;
      const project = world.project(fact.project);
      const identity = fact.path.slice(fact.path.lastIndexOf("/") + 1);
      const saved = project.checkpoints.get(identity);
      const content = contentOf(project, fact.workspace);
      const isSaved = saved !== undefined && savedContent(project, saved) === content;
      const asOnTarget =
        project.repository.tree(fact.workspace.files) === project.repository.treeOf(project.target);
      if (!isSaved && !asOnTarget) {
        const what = isTornDown ? "torn down" : "removed";
        world.fail(name, `${fact.path} is ${what} with unsaved work: ${content}`);
      }
      const inUse = [...world.processes.values()].find(
        (process) => process.workspace === fact.path && process.alive,
      );
      if (inUse !== undefined) world.fail(name, `${fact.path} is removed under a living agent`);
    },
  };
}
