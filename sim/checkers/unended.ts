// An agent that cannot be ended is reported: if it still runs hours after Pawl began to end it, a
// person was told, by a question of its run or by a notification.
import { runAggregate } from "../../src/core/ids.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const HOUR_MS = 3_600_000;
const LOOK_MS = HOUR_MS / 6;
/**
 * Far longer than all tries of one ending together (an hour), which survive the daemon. Only time
 * in which a daemon lived counts: one that is killed at every start tries nothing.
 */
const TOLD_MS = 3 * HOUR_MS;

export function unended(world: World): Checker {
  const name = "unended";
  const ending = new Map<string, { run: Run; at: number }>();
  const told = new Set<string>();
  let livedMs = 0;
  let upSince: number | undefined;

  const lived = (): number =>
    livedMs + (upSince === undefined ? 0 : world.clock.monotonicMs() - upSince);

  function daemon(isUp: boolean): void {
    livedMs = lived();
    upSince = isUp ? world.clock.monotonicMs() : undefined;
  }

  function journaled(run: Run): void {
    const id = runAggregate(run.project, run.id);
    if (run.stage.kind === "escalated") told.add(id);
    if (run.session?.status !== "ending") {
      ending.delete(id);
      told.delete(id);
    } else ending.set(id, { run, at: ending.get(id)?.at ?? lived() });
  }

  function look(): void {
    const now = lived();
    for (const [id, { at, run }] of ending) {
      if (told.has(id) || now - at < TOLD_MS) continue;
      const hours = Math.round((now - at) / HOUR_MS);
      world.fail(name, `${run.project}/${run.id} ends for ${hours} h, and no person was told`);
    }
    world.clock.after(LOOK_MS, look);
  }

  world.clock.after(LOOK_MS, look);
  return {
    name,
    hear(fact) {
      if (fact.kind === "daemon-started") daemon(true);
      if (fact.kind === "daemon-killed") daemon(false);
      if (fact.kind !== "journaled") return;
      for (const { aggregate, effect } of fact.journaled.effects) {
        if (effect.kind === "notify" && ending.has(aggregate)) told.add(aggregate);
      }
      for (const { state } of fact.journaled.states) if (state.kind === "run") journaled(state);
    },
  };
}
