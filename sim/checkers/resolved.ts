// What a program resolved lands without conflict marks, and is said to be resolved: an entry whose
// commit holds some of it says by whom.
import type { Commit } from "../../src/core/ids.ts";
import type { PastEntry } from "../../src/core/merge-queue/queue.ts";
import type { SimProject, World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function resolved(world: World): Checker {
  const name = "resolved";
  const seen = new Set<string>();

  function landed(project: SimProject, from: Commit, to: Commit): void {
    const before = project.repository.files(from);
    for (const [file, text] of project.repository.files(to)) {
      if (text === before.get(file) || !text.includes("<<<<<<<")) continue;
      world.fail(name, `${to} landed on ${project.name} with conflict marks in ${file}`);
    }
  }

  function left(project: SimProject, entry: PastEntry): void {
    if (entry.end.kind !== "merged" || seen.has(`${project.name} ${entry.id}`)) return;
    seen.add(`${project.name} ${entry.id}`);
    const { commit } = entry.end;
    // One that adds nothing is said to be the commit below it.
    const isOwn = project.madeOf.get(commit)?.heads[0] === entry.head;
    if (!isOwn || !project.resolvedTips.has(commit) || entry.resolved !== undefined) return;
    const { id, branch } = entry;
    world.fail(name, `entry ${id} (${branch}) of ${project.name} hides that it was resolved`);
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "target-moved" && fact.by === "pawl") {
        landed(world.project(fact.project), fact.from, fact.to);
      }
      if (fact.kind !== "journaled") return;
      for (const { state } of fact.journaled.states) {
        if (state.kind !== "queue") continue;
        for (const entry of state.past) left(world.project(state.project), entry);
      }
    },
  };
}
