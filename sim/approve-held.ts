// An operator who lets land what changes pawl.toml: without that the queue holds it for ever. An agent
// that merges what it had before into what it has now may change the file without a word.
import type { Event } from "../src/core/event.ts";
import { queueAggregate, type AggregateId } from "../src/core/ids.ts";
import type { SimProject, World } from "./world.ts";

/** Of the rounds that people make in an hour, one; once nothing goes wrong any more, each. */
const PER_ROUND = 1 / 12;

export async function approveHeld(
  world: World,
  { name }: SimProject,
  submit: (to: AggregateId, event: Event) => Promise<void>,
): Promise<void> {
  const { store, faults, prng, clock } = world;
  const to = queueAggregate(name);
  const queue = (await store.load(to))?.state;
  if (queue?.kind !== "queue") return;
  const held = queue.entries.filter((one) => one.changesPolicy && one.approved === undefined);
  for (const { id, head, branch } of held) {
    if (faults.on && !prng.people.chance(PER_ROUND)) continue;
    world.tell({ kind: "person-did", what: `an operator approves ${branch} of ${name}` });
    await submit(to, { kind: "entry-approved", at: clock.now(), entry: id, head, by: "ann" });
  }
}
