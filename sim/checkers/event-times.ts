// Every event has the time at which it is taken in. The core decides by that time: an event that was
// dated before a wait decides by what was true then, and stands in the journal after later ones.
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function eventTimes(world: World): Checker {
  const name = "event-times";
  return {
    name,
    hear(fact) {
      if (fact.kind !== "journaled") return;
      const now = world.clock.now();
      for (const { to, event } of fact.journaled.events) {
        if (event.at === now) continue;
        world.fail(
          name,
          `${event.kind} of ${to} is dated ${now - event.at} ms before it is taken in`,
        );
      }
    },
  };
}
