// Another writer's push to a branch of Pawl's on upstream is never overwritten: wherever Pawl
// moves that branch to, those commits are part of it. It may go once it has landed. And what a run
// calls published was pushed.
import type { Commit } from "../../src/core/ids.ts";
import type { Fact } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

type Moved = Extract<Fact, { kind: "upstream-moved" }>;

export function pushedWork(world: World): Checker {
  const name = "pushed-work";
  /** By project and branch. */
  const theirs = new Map<string, Commit[]>();
  const takenIn = new Set<Commit>();
  const ours = new Set<Commit>();

  function moved({ project, branch, to, by }: Moved): void {
    const key = `${project} ${branch}`;
    const known = theirs.get(key) ?? [];
    if (to === undefined) theirs.delete(key);
    else if (by === "others") theirs.set(key, [...known, to]);
    else {
      ours.add(to);
      const { repository } = world.project(project);
      for (const commit of known) {
        if (repository.isAncestor(commit, to)) takenIn.add(commit);
        // What was pushed with it may become a new commit, by an agent that rebases or by a landing:
        // the same work, without its history.
        else if (!takenIn.has(commit)) {
          world.fail(name, `${commit} on ${branch} was written over by ${to}`);
        }
      }
    }
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "upstream-moved") moved(fact);
      if (fact.kind !== "journaled" || !world.options.remote) return;
      for (const { to, event } of fact.journaled.events) {
        if (event.kind !== "branch-published" || ours.has(event.head)) continue;
        world.fail(name, `${to} calls ${event.head} published, and it was never pushed`);
      }
    },
  };
}
