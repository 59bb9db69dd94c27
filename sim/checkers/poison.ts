// No effect kills more than two daemons: the third one puts it aside and tells a person.
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const DEATHS_MAX = 2;

export function poison(world: World): Checker {
  const name = "poison";
  const deaths = new Map<string, number>();
  return {
    name,
    hear(fact) {
      if (fact.kind === "daemon-killed" && fact.at.startsWith("poison ")) {
        const key = fact.at.slice("poison ".length);
        const count = (deaths.get(key) ?? 0) + 1;
        deaths.set(key, count);
        if (count > DEATHS_MAX) world.fail(name, `${key} killed ${count} daemons`);
      }
      if (fact.kind !== "journaled") return;
      for (const key of fact.journaled.settled) {
        // Given up, or no longer wanted: a later request is another effect.
        if (world.poison.keys.delete(key)) deaths.delete(key);
      }
    },
  };
}
