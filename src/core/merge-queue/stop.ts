// The queue stops by itself, and says so: once, to the operator, with what to do next.
import type { Context } from "../context.ts";
import { queueAggregate } from "../ids.ts";
import type { Queue, Stop } from "./queue.ts";

export function stopQueue(queue: Queue, stop: Omit<Stop, "at">, context: Context): Queue {
  const aggregate = queueAggregate(queue.project);
  context.output.effects.push({
    key: `${aggregate}:stopped:${context.at}:${stop.kind}`,
    lane: `${aggregate}:notify`,
    effect: {
      kind: "notify",
      severity: "urgent",
      title: `the merge queue of ${queue.project} stopped`,
      body: stop.hint === undefined ? stop.why : `${stop.why}\nhint: ${stop.hint}`,
    },
  });
  return { ...queue, stop: { ...stop, at: context.at } };
}
