// Invariant: the commit that an entry is said to have landed as is the one that brought its work onto
// the target, also in a batch.
import type { Commit } from "../../src/core/ids.ts";
import type { PastEntry } from "../../src/core/merge-queue/queue.ts";
import { headsBetween, type SimProject, type World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function landedAs(world: World): Checker {
  const name = "landed-as";
  const seen = new Set<string>();
  /** Where the target was before it moved there. */
  const before = new Map<Commit, Commit>();

  function check(project: SimProject, entry: PastEntry): void {
    if (entry.end.kind !== "merged") return;
    const { commit } = entry.end;
    const mark = `${project.name} ${entry.id}`;
    if (seen.has(mark)) return;
    seen.add(mark);
    // Where the commit is the end of what landed at once, the work may be that of one before it.
    const from = before.get(commit);
    const below = project.madeOf.get(commit)?.below;
    if (from === undefined || below === undefined || below === from) return;
    if (!headsBetween(project, from, below).includes(entry.head)) return;
    const { branch, id } = entry;
    world.fail(name, `entry ${id} (${branch}) of ${project.name} landed before ${commit}`);
  }

  return {
    name,
    hear(fact) {
      // Work that the target has already moves it nowhere.
      const moved = fact.kind === "target-moved" && fact.by === "pawl" && fact.from !== fact.to;
      if (moved) before.set(fact.to, fact.from);
      if (fact.kind !== "journaled") return;
      for (const { state } of fact.journaled.states) {
        if (state.kind !== "queue") continue;
        for (const entry of state.past) check(world.project(state.project), entry);
      }
    },
  };
}
