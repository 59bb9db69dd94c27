// Invariant (a), as far as checkpoints exist: what a life wrote is saved before the next one of its
// identity starts. A checkpoint that failed for good is a visible warning instead.
import type { Journaled } from "../fact.ts";
import { savedContent } from "../fakes/git.ts";
import { contentOf, type Workspace, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function savedWork(world: World): Checker {
  const name = "saved-work";
  const excused = new Set<string>();
  /** Of a task, or of an issue that was refused, it goes with the run: the next one begins anew. */
  const used = new WeakSet<Workspace>();

  function journaled({ events }: Journaled): void {
    for (const { to, event } of events) {
      if (event.kind !== "effect-failed") continue;
      const { effect } = event.failed.obligation;
      if (effect.kind === "checkpoint")
        excused.add(`${to.slice(4, to.indexOf("/"))} ${effect.identity}`);
    }
  }

  function isFirst(start: { epoch: number }, workspace: Workspace): boolean {
    const fresh = !used.has(workspace);
    used.add(workspace);
    return start.epoch === 1 || fresh;
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "journaled") journaled(fact.journaled);
      if (fact.kind !== "process-started") return;
      const mark = `${fact.project} ${fact.identity}`;
      const project = world.project(fact.project);
      const workspace = project.workspaces.get(world.paths.workspace(fact.project, fact.identity));
      if (workspace === undefined || isFirst(fact, workspace)) return;
      if (workspace.handEdited || excused.delete(mark)) return;
      // Made anew at the target, because the last one was done with: nobody has written there yet.
      const { repository, target } = project;
      const isClean = repository.tree(workspace.files) === repository.treeOf(workspace.head);
      if (isClean && repository.isAncestor(workspace.head, target)) return;
      const saved = project.checkpoints.get(fact.identity);
      if (saved !== undefined && savedContent(project, saved) === contentOf(project, workspace))
        return;
      world.fail(
        name,
        `${mark} starts epoch ${fact.epoch} before the work of the last one is saved`,
      );
    },
  };
}
