// Changing the stack without breaking it: what stands on a removed slot goes with it, and a build
// on top of it is given up. Effects of what is gone are cancelled by comparing (obligations.ts).
import { withConflicts } from "./conflicts.ts";
import type { Commit } from "../ids.ts";
import type { Queue } from "./queue.ts";

/** Keeps the first slots. A build under way stood on the last one. */
export function cutStack(queue: Queue, length: number): Queue {
  if (length >= queue.stack.length) return queue;
  return { ...queue, stack: queue.stack.slice(0, length), building: undefined };
}

/** Takes entries out of the queue, and out of everything that is built with them. */
export function withoutEntries(queue: Queue, ids: number[]): Queue {
  const found = queue.stack.findIndex((slot) => ids.includes(slot.entry));
  const cut = found === -1 ? queue : cutStack(queue, found);
  const building = cut.building?.entries.some((id) => ids.includes(id)) ? undefined : cut.building;
  const entries = cut.entries.filter((entry) => !ids.includes(entry.id));
  return { ...cut, building, entries, conflicts: withConflicts(cut.conflicts, [], entries) };
}

/** The target is elsewhere: nothing that was built on the old one counts. */
export const retarget = (queue: Queue, commit: Commit): Queue => ({
  ...queue,
  target: { commit, proof: "unknown", test: undefined },
  stack: [],
  building: undefined,
  stop: queue.stop?.kind === "red-target" ? undefined : queue.stop,
});
