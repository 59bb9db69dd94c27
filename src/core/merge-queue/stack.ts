// Changing the stack without breaking it: what stands on a removed slot goes with it, and a build
// on top of it is given up. Effects of what is gone are cancelled by comparing (obligations.ts).
import type { Context } from "../context.ts";
import { queueAggregate, type Commit } from "../ids.ts";
import { withConflicts } from "./conflicts.ts";
import type { Queue } from "./queue.ts";
import { forgiven } from "./savings.ts";

/** So often in a row is not chance any more: a person hears of it, once until something lands. */
export const OVERTAKEN_MAX = 10;

/** Keeps the first slots. A build under way stood on the last one, or below it (prepared.ts). */
export function cutStack(queue: Queue, length: number): Queue {
  if (length >= queue.stack.length) return queue;
  const building = queue.building?.without === undefined ? undefined : queue.building;
  return { ...queue, stack: queue.stack.slice(0, length), building };
}

/** Takes entries out of the queue, and out of everything that is built with them. */
export function withoutEntries(queue: Queue, ids: number[]): Queue {
  const found = queue.stack.findIndex((slot) => ids.includes(slot.entry));
  const cut = found === -1 ? queue : cutStack(queue, found);
  const building = cut.building?.entries.some((id) => ids.includes(id)) ? undefined : cut.building;
  const entries = cut.entries.filter((entry) => !ids.includes(entry.id));
  const conflicts = withConflicts(cut.conflicts, [], entries);
  const left: Queue = { ...cut, building, entries, conflicts };
  return entries.length === 0 ? forgiven(left) : left;
}

/** The target is elsewhere: nothing that was built on the old one counts. */
export const retarget = (queue: Queue, commit: Commit): Queue => ({
  ...forgiven(queue),
  target: { commit, proof: "unknown", test: undefined },
  stack: [],
  building: undefined,
  stop: queue.stop?.kind === "red-target" ? undefined : queue.stop,
});

/** Others moved the target. What was tested on the old one is lost; where that repeats, it is said. */
export function overtake(queue: Queue, commit: Commit, context: Context): Queue {
  const isLost = queue.stack.length > 0 || queue.building !== undefined;
  const next = retarget(queue, commit);
  if (!isLost) return next;
  const { count = 0, since = context.at } = queue.overtaken ?? {};
  const overtaken = { count: count + 1, since };
  if (overtaken.count === OVERTAKEN_MAX) tellOfRace(queue, overtaken, context);
  return { ...next, overtaken };
}

export const raceText = ({ count, since }: NonNullable<Queue["overtaken"]>): string =>
  `the target moved ${count} times since ${new Date(since).toISOString()}, each time before a tested ` +
  "commit could land; nothing can land until the target stays unchanged for as long as the gates take";

function tellOfRace(
  { project }: Queue,
  overtaken: NonNullable<Queue["overtaken"]>,
  { at, output }: Context,
): void {
  const aggregate = queueAggregate(project);
  output.effects.push({
    key: `${aggregate}:overtaken:${at}`,
    lane: `${aggregate}:notify`,
    effect: {
      kind: "notify",
      severity: "warning",
      title: `the merge queue of ${project} cannot keep up with its target`,
      body: raceText(overtaken),
    },
  });
}
