// `done EFFECT …`, `fail EFFECT "why"`, `report check-started`: effects happen when the story says
// so. An effect is named by its kind; the oldest one of the kind is meant.
import type { EffectKind, Obligation } from "../../../src/core/effect.ts";
import type { AggregateId } from "../../../src/core/ids.ts";
import { outcomeOf } from "./outcomes.ts";
import type { Command } from "./transcript.ts";
import { submit, type World } from "./world.ts";

export const effect = {
  /** `done check-branch red`: carried out, with an outcome. `done settle-issue+checkpoint`: one after the other. */
  done: (world: World, command: Command): void => {
    for (const kind of command.words[1]?.split("+") ?? []) {
      const { key, to, effect: done } = take(world, kind as EffectKind);
      world.outbox.delete(key);
      const event = outcomeOf(done, command, world.now);
      if (event === undefined) world.lines.push(`${kind}: done`);
      else submit(world, to, event);
    }
  },

  fail: (world: World, { words }: Command): void => {
    const [, kind, message = "it broke"] = words;
    const { to, ...obligation } = take(world, kind as EffectKind);
    world.outbox.delete(obligation.key);
    const failed = { obligation, code: "broken", message };
    submit(world, to, { kind: "effect-failed", at: world.now, failed });
  },

  /** `start check-branch`: under way, not done yet. */
  start: (world: World, { words }: Command): void => {
    const { to, effect: started } = take(world, words[1] as EffectKind);
    if (started.kind !== "check-branch") throw new Error("only a check says that it has started");
    submit(world, to, { kind: "check-started", at: world.now, head: started.head });
  },

  /** `outbox`: what is still to be done. */
  outbox: (world: World): void => {
    const kinds = [...world.outbox.values()].map(({ effect: { kind } }) => kind);
    world.lines.push(kinds.length === 0 ? "outbox: empty" : `outbox: ${kinds.join(" ")}`);
  },
};

function take(world: World, kind: EffectKind): Obligation & { to: AggregateId } {
  const found = [...world.outbox.values()].find((waiting) => waiting.effect.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} is waiting`);
  return found;
}
