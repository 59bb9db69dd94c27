// The world of a transcript: aggregates, a clock that only the story moves, and an outbox whose
// effects happen when the story says so. Facts are applied as the daemon's loop applies them.
import type { Obligation } from "../../../src/core/effect.ts";
import type { Event } from "../../../src/core/event.ts";
import type { AggregateId } from "../../../src/core/ids.ts";
import type { Run } from "../../../src/core/run/run.ts";
import { deadlineOf, step, type AggregateState } from "../../../src/core/step.ts";
import { assert } from "../../../src/lib/assert.ts";
import { describeOutput, describeState } from "./describe.ts";

export type World = {
  now: number;
  states: Map<AggregateId, AggregateState>;
  outbox: Map<string, Obligation & { to: AggregateId }>;
  /** What has come of the current scene. */
  lines: string[];
  /** The run that "the agent" and "the operator" mean. */
  current: AggregateId | undefined;
  phasesWritten: number;
  reviews: number;
};

export const newWorld = (): World => ({
  now: 0,
  states: new Map(),
  outbox: new Map(),
  lines: [],
  current: undefined,
  phasesWritten: 0,
  reviews: 0,
});

/** One event and everything it tells others, as one transaction would. */
export function submit(world: World, to: AggregateId, event: Event): void {
  const waiting = [{ to, event }];
  for (let fact = waiting.shift(); fact !== undefined; fact = waiting.shift()) {
    const before = world.states.get(fact.to);
    const { state, output } = step(fact.to, before, fact.event);
    // Who is there for letters is no news of a story about runs.
    if (fact.event.kind === "worker-started") continue;
    if (state === undefined) {
      world.lines.push(`${name(fact.to)} <- ${fact.event.kind}: does not exist`);
      continue;
    }
    world.states.set(fact.to, state);
    if (before === undefined && state.kind === "run") world.current = fact.to;
    const was = before === undefined ? "" : describeState(before, world.now);
    const is = describeState(state, world.now);
    world.lines.push(`${name(fact.to)} <- ${fact.event.kind}: ${was === is ? "same" : is}`);
    // Of what was cancelled, only what still waited is news.
    const cancelled = output.cancelled.filter((key) => world.outbox.delete(key));
    for (const obligation of output.effects) {
      if (!world.outbox.has(obligation.key)) {
        world.outbox.set(obligation.key, { ...obligation, to: fact.to });
      }
    }
    // The merge queue has stories of its own: here it only takes in what it is told.
    if (state.kind !== "queue") world.lines.push(...describeOutput({ ...output, cancelled }));
    waiting.push(...output.tells);
  }
}

const name = (id: AggregateId): string => id.replace(/^run:[^/]*\//, "run ").replace(/:.*/, "");

/** Moves the clock to an instant, stopping at every deadline on the way. */
export function advance(world: World, durationMs: number): void {
  const until = world.now + durationMs;
  for (let wakes = 0; ; wakes += 1) {
    assert(wakes < 100, "a deadline stays due, however often it is looked at");
    const due = [...world.states]
      .map(([id, state]) => ({ id, at: deadlineOf(state) ?? Infinity }))
      .toSorted((a, b) => a.at - b.at)[0];
    if (due === undefined || due.at > until) break;
    world.now = Math.max(world.now, due.at);
    submit(world, due.id, { kind: "deadline-passed", at: world.now });
  }
  world.now = until;
}

export function currentRun(world: World): Run {
  const state = world.current === undefined ? undefined : world.states.get(world.current);
  assert(state?.kind === "run", "the story has no run yet");
  return state;
}
