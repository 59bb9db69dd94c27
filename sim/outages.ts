// Forges that go down in a bad moment: an issue is to be settled while its agent still has to be
// ended. An outage that begins by chance seldom meets that moment.
import type { World } from "./world.ts";

export function startOutages(world: World): void {
  const { faults, clock } = world;
  world.listeners.push((fact) => {
    if (fact.kind !== "journaled") return;
    for (const { effect } of fact.journaled.effects) {
      if (effect.kind !== "settle-issue" || !faults.strikes("settleOutage")) continue;
      faults.breakDown("forge", clock.monotonicMs());
    }
  });
}
