// Ports that fail in a bad moment, which a failure that comes by chance seldom meets: the forge goes
// down while an issue is to be settled and its agent still has to be ended, the look at a schedule that
// is due is refused, and the work of a life is still being saved when the next one could start.
import type { World } from "./world.ts";

export function startOutages(world: World): void {
  const { faults, clock } = world;
  world.listeners.push((fact) => {
    if (fact.kind !== "journaled") return;
    for (const { effect } of fact.journaled.effects) {
      if (effect.kind === "settle-issue" && faults.strikes("settleOutage")) {
        faults.breakDown("forge", clock.monotonicMs());
      }
      // What such a look asks for first.
      if (effect.kind === "plan-schedule" && faults.strikes("planRefused")) {
        faults.refuseNext("machine.memory");
      }
      if (effect.kind === "checkpoint" && faults.strikes("saveSlow")) {
        faults.slowNext("git.checkpoint");
      }
    }
  });
}
