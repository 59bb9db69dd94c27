// Patrols go their rounds as often as they are configured to. What counts is the sign of life that
// each round publishes.
import type { Fact } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

/** A round may take a moment, and a look may be slow. */
const SLACK = 1.5;

export function patrols(world: World): Checker {
  const name = "patrols";
  const lastAt = new Map<string, number>();

  function published(path: string, content: string): void {
    // While faults strike a round may be late.
    if (world.faults.on) return lastAt.clear();
    if (!/\/patrols\/[^/]+\.json$/.test(path)) return undefined;
    const now = world.clock.monotonicMs();
    const { every_s: everyS } = JSON.parse(content) as { every_s: number };
    const gapMs = now - (lastAt.get(path) ?? now);
    lastAt.set(path, now);
    if (gapMs > SLACK * everyS * 1000) {
      world.fail(name, `${path}: ${gapMs / 1000} s between two rounds, ${everyS} are configured`);
    }
  }

  world.publishedListeners.push(published);
  return {
    name,
    hear(fact: Fact) {
      // Around a start a round may be late.
      if (fact.kind === "daemon-started") lastAt.clear();
    },
  };
}
