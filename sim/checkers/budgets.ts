// Every retry has a budget: of an effect, of a run's lives, of an agent's fixes.
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const ATTEMPTS_MAX = 20;
/** Lives of one identity within an hour: crashes, nudges and news together stay far below. */
const LIVES_MAX = 40;
const HOUR_MS = 3_600_000;

export function budgets(world: World): Checker {
  const name = "budgets";
  const starts = new Map<string, number[]>();

  function started(identity: string): void {
    const now = world.clock.monotonicMs();
    const recent = (starts.get(identity) ?? []).filter((at) => at > now - HOUR_MS);
    recent.push(now);
    starts.set(identity, recent);
    if (recent.length > LIVES_MAX)
      world.fail(name, `${identity} was started ${recent.length} times in an hour`);
  }

  return {
    name,
    hear(fact) {
      if (fact.kind === "process-started") started(`${fact.project} ${fact.identity}`);
      if (fact.kind !== "journaled") return;
      for (const { key, attempts } of fact.journaled.postponed) {
        if (attempts >= ATTEMPTS_MAX)
          world.fail(name, `${key} is to be tried ${attempts + 1} times`);
      }
      for (const { state } of fact.journaled.states) {
        if (state.kind !== "run") continue;
        const { counts, config } = state;
        const over =
          counts.ciFixes > config.limits.ciFixesMax ||
          counts.reviewRounds > config.limits.reviewRoundsMax ||
          counts.nudges > config.limits.nudgesMax;
        if (over)
          world.fail(
            name,
            `${state.project}/${state.id} is over its budget: ${JSON.stringify(counts)}`,
          );
      }
    },
  };
}
