// Effects that a daemon dies of: a few of them are poison, and stay so until Pawl gives them up. As the
// real one, it notes a death only where the daemon died of itself; a killed one leaves nothing.
import type { Death, DeathNotes } from "../../src/daemon/engine/death-notes.ts";
import type { Life } from "../life.ts";

/** Poison outlives daemons, so it belongs to the world. */
export class Poison {
  readonly keys = new Set<string>();
  death: Death | undefined;
  deaths = 0;
}

/** What handles what agents made: an odd size or content can be in any of it. */
const MAY_BE_POISON = /^run:.*:(?:fetch|publish|check):|^queue:.*:(?:build|land|check)/;

export function createFakeDeathNotes(life: Life): DeathNotes {
  const { world } = life;
  const { poison, faults } = world;
  return {
    during: (key, work) => {
      // A dead daemon begins nothing, and its note names the effect that it died of.
      if (life.dead) return new Promise(() => undefined);
      if (MAY_BE_POISON.test(key) && faults.strikes("poison")) poison.keys.add(key);
      if (!poison.keys.has(key)) return work();
      poison.deaths += 1;
      poison.death = { id: String(poison.deaths), key, message: "it was poison" };
      life.kill(`poison ${key}`);
      return new Promise(() => undefined);
    },
    last: () => poison.death,
    forget: () => {
      poison.death = undefined;
    },
    close: () => undefined,
  };
}
