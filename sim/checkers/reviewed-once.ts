// A head is reviewed once, whichever attempt asks: a second verdict on it is wanted only where the
// first could not be brought to the forge.
import type { Fact } from "../fact.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function reviewedOnce(world: World): Checker {
  const name = "reviewed-once";
  const given = new Set<string>();
  return {
    name,
    hear(fact: Fact) {
      if (fact.kind !== "journaled") return;
      for (const { event } of fact.journaled.events) {
        if (event.kind === "effect-failed") given.delete(event.failed.obligation.key);
      }
      for (const { key, effect } of fact.journaled.effects) {
        if (effect.kind !== "post-review") continue;
        if (given.has(key)) world.fail(name, `${key} was wanted twice`);
        given.add(key);
      }
    },
  };
}
