// What comes after a suspect, built while the suspect is confirmed. The last entry of the stack is red on
// top of what is green: probably it is blamed, and the others are stacked without it on the same
// commit. If that happens they are the stack; otherwise they are let go (obligations.ts).
import type { Building, Prepared, Queue, Slot } from "./queue.ts";

/** Built, and not stacked: the suspect may turn out to be a flake. */
export function prepare(queue: Queue, { without, onto }: Building, slots: Slot[]): Queue {
  return without === undefined ? queue : { ...queue, prepared: { without, onto, slots } };
}

/**
 * Takes what was prepared, or what is being built for it, as soon as the suspect has left the queue and
 * nothing stands where it stood. Lets it go where the suspect is no suspect any more, or the stack
 * below it is another one. Returns the same queue where nothing is to do.
 */
export function settlePrepared(queue: Queue): Queue {
  const { building } = queue;
  const known = queue.prepared ?? building;
  if (known?.without === undefined) return queue;
  const plan = { without: known.without, onto: known.onto };
  if (isSuspected(queue, plan)) return queue;
  const { prepared, ...rest } = queue;
  const own = building?.without === undefined ? building : undefined;
  if (!isFree(queue, plan)) return { ...rest, building: own };
  if (prepared !== undefined) {
    return { ...rest, building: own, stack: [...queue.stack, ...stillQueued(queue, prepared)] };
  }
  if (building === undefined) return rest;
  const { without: _gone, ...ordinary } = building;
  return { ...rest, building: ordinary };
}

type Place = Pick<Prepared, "without" | "onto">;

/** It stands on top of the stack, red, on the commit that the others were built on. */
function isSuspected({ stack, target }: Queue, { without, onto }: Place): boolean {
  const last = stack.at(-1);
  const below = stack.at(-2)?.commit ?? target?.commit;
  return last?.entry === without && last.verdict?.kind === "red" && below === onto;
}

/** It has left, and the stack ends with the commit that the others were built on. */
function isFree({ stack, target, entries }: Queue, { without, onto }: Place): boolean {
  const tip = stack.at(-1)?.commit ?? target?.commit;
  return tip === onto && !entries.some((entry) => entry.id === without);
}

/** Up to the first one that has left meanwhile: the others stand on it. */
function stillQueued({ entries }: Queue, { slots }: Prepared): Slot[] {
  const ids = new Set(entries.map((entry) => entry.id));
  const gone = slots.findIndex((slot) => !ids.has(slot.entry));
  return gone === -1 ? slots : slots.slice(0, gone);
}
