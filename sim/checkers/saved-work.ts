// Invariant (a), as far as checkpoints exist: what a life wrote is saved before the next one of its
// identity starts. A checkpoint that failed for good is a visible warning instead.
import type { Journaled } from "../fact.ts";
import { savedContent } from "../fakes/git.ts";
import { contentOf, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function savedWork(world: World): Checker {
  const name = "saved-work";
  const excused = new Set<string>();

  function journaled({ events }: Journaled): void {
    for (const { to, event } of events) {
      if (event.kind !== "effect-failed") continue;
      const { effect } = event.failed.obligation;
      if (effect.kind === "checkpoint")
        excused.add(`${to.slice(4, to.indexOf("/"))} ${effect.identity}`);
    }
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "journaled") journaled(fact.journaled);
      if (fact.kind !== "process-started" || fact.epoch === 1) return;
      const mark = `${fact.project} ${fact.identity}`;
      const project = world.project(fact.project);
      const workspace = project.workspaces.get(world.paths.workspace(fact.project, fact.identity));
      if (workspace === undefined || workspace.handEdited || excused.delete(mark)) return;
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
