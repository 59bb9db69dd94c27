// Invariant (f): nothing is removed that is not proven landed or saved. Every workspace that goes
// must be on a checkpoint exactly as it is, and already when the user's own teardown begins, which may
// delete any file of it.
import { projectOf } from "../../src/core/ids.ts";
import type { NewOutboxRow } from "../../src/ports/store.ts";
import { savedContent } from "../fakes/git.ts";
import { contentOf, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function workspaces(world: World): Checker {
  const name = "workspaces";
  /** The workspaces that are saved by these effects. */
  const saving = new Map<string, string>();
  /** Those that are to be removed and were not saved since that was asked for. */
  const unsaved = new Set<string>();

  function settled(key: string): void {
    unsaved.delete(saving.get(key) ?? "");
    saving.delete(key);
  }

  function wanted({ aggregate, effect, key }: NewOutboxRow): void {
    if (effect.kind !== "remove-workspace" && effect.kind !== "checkpoint") return;
    const path = world.paths.workspace(projectOf(aggregate), effect.identity);
    if (effect.kind === "checkpoint") saving.set(key, path);
    else unsaved.add(path);
  }

  return {
    name,
    hear(fact) {
      for (const one of fact.kind === "journaled" ? fact.journaled.written : []) {
        if (one.kind === "settled") settled(one.key);
        if (one.kind === "effect") wanted(one.row);
      }
      const isTornDown = fact.kind === "workspace-torn-down";
      if (fact.kind !== "workspace-removed" && !isTornDown) return;
      // What a person wrote there after the last checkpoint is saved with the removal.
      const isLate = fact.workspace.handEdited && !unsaved.has(fact.path);
      if (!fact.workspace.complete || (isTornDown && isLate)) return;
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
