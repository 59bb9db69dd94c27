// A workspace that holds what cannot be saved stays, and a person is told: by a notification in the
// same transaction that learns of it. The journal never says that it was removed.
import type { Fact, Journaled } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function keptWorkspaces(world: World): Checker {
  const name = "kept-workspaces";

  function journaled({ events, states, effects }: Journaled): void {
    if (events.length === 0) return;
    const runs = new Map(states.map(({ id, state }) => [id, state]));
    for (const { to, event } of events) {
      const run = runs.get(to);
      if (run?.kind !== "run") continue;
      const path = world.paths.workspace(run.project, run.identity);
      const isThere = world.project(run.project).workspaces.has(path);
      if (event.kind === "workspace-removed" && isThere) {
        world.fail(name, `${run.identity} of ${run.project} is called removed, and is there`);
      }
      if (event.kind !== "workspace-kept") continue;
      const isTold = effects.some(
        ({ aggregate, effect }) => aggregate === to && effect.kind === "notify",
      );
      if (!isTold || run.warnings.length === 0) {
        world.fail(name, `${run.identity} of ${run.project} stays, and no one is told why`);
      }
    }
  }

  return {
    name,
    hear(fact: Fact) {
      if (fact.kind === "journaled") journaled(fact.journaled);
    },
  };
}
