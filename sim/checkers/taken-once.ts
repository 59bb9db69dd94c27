// What an agent says is taken in once: the same spool file, or the same writing of a phase, seen
// again after a crash or by a doubled notification, changes nothing. And the phases of a life are
// taken in in the order in which it wrote them.
import type { Journaled } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function takenOnce(world: World): Checker {
  const name = "taken-once";
  const seen = new Set<string>();

  function take(mark: string): void {
    if (seen.has(mark)) world.fail(name, `${mark} was taken in twice`);
    seen.add(mark);
  }

  /** By run and epoch: which writing of a phase was taken in last. */
  const phases = new Map<string, number>();

  /** The world counts its stamps up. */
  function inOrder(life: string, stamp: string): void {
    const number = Number(stamp.slice(1));
    if (number < (phases.get(life) ?? 0)) {
      world.fail(name, `${life} took in an older phase after a newer one`);
    }
    phases.set(life, number);
  }

  function journaled({ events }: Journaled): void {
    for (const { to, event } of events) {
      if (event.kind === "spool-received")
        take(`${to} ${event.epoch} spool ${event.name} ${event.text}`);
      if (event.kind !== "phase-observed") continue;
      take(`${to} ${event.epoch} phase ${event.stamp}`);
      inOrder(`${to} ${event.epoch}`, event.stamp);
    }
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "journaled") journaled(fact.journaled);
    },
  };
}
