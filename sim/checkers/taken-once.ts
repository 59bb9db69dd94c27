// What an agent says is taken in once: the same spool file, or the same writing of a phase, seen
// again after a crash or by a doubled notification, changes nothing.
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

  function journaled({ events }: Journaled): void {
    for (const { to, event } of events) {
      if (event.kind === "spool-received")
        take(`${to} ${event.epoch} spool ${event.name} ${event.text}`);
      if (event.kind === "phase-observed") take(`${to} ${event.epoch} phase ${event.stamp}`);
    }
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "journaled") journaled(fact.journaled);
    },
  };
}
