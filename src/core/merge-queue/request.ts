// Adds, cancels and approves entries. There is one active entry per branch. An entry that is being
// landed cannot be cancelled: the outcome of the landing decides.
import type { Context } from "../context.ts";
import type { QueueEvent } from "./queue-event.ts";
import type { Commit } from "../ids.ts";
import { endText } from "./explain.ts";
import {
  isLanding,
  withEntries,
  type EarlierEntry,
  type Entry,
  type NewEntry,
  type Queue,
} from "./queue.ts";
import { returnEntry, withdrawn } from "./settle.ts";
import { withoutEntries } from "./stack.ts";

type EventOf<K extends QueueEvent["kind"]> = Extract<QueueEvent, { kind: K }>;

const activeEntry = (queue: Queue, branch: string): Entry | undefined =>
  queue.entries.find((entry) => entry.branch === branch && entry.leaving === undefined);

const calledBack = (queue: Queue, branch: string, head: Commit): Entry | undefined =>
  queue.entries.find(
    (entry) => entry.branch === branch && entry.head === head && entry.leaving !== undefined,
  );

export function requestEntry(
  queue: Queue,
  event: EventOf<"entry-requested">,
  context: Context,
): Queue {
  const { branch, head } = event.entry;
  const waiting = activeEntry(queue, branch);
  if (waiting?.head === head) {
    const again = askedAgain(waiting, event.entry);
    return again === waiting ? queue : withEntries(queue, [waiting.id], () => again);
  }
  const called = calledBack(queue, branch, head);
  if (called !== undefined) {
    // Its landing is still under way, and wanted again: a second entry would land it twice.
    const alone = waiting === undefined ? queue : replace(queue, waiting);
    return withEntries(alone, [called.id], (entry) => ({
      ...askedAgain(entry, event.entry),
      leaving: undefined,
    }));
  }
  // A run signals by itself that its branch is ready; for a branch that a person added, the queue
  // does.
  if (event.entry.run === undefined) ready(queue, event.entry, context);
  const replaced = waiting === undefined ? queue : replace(queue, waiting);
  const entry = newEntry(queue, event, waiting);
  const next: Queue = {
    ...lookedAtTogether(replaced, event.at),
    nextEntry: queue.nextEntry + 1,
    entries: [...replaced.entries, entry],
    past: replaced.past.filter((past) => past.branch !== branch || past.end.kind === "merged"),
    // It may fix a red target: worth one more look.
    stop: queue.stop?.kind === "red-target" ? undefined : queue.stop,
  };
  const circle = circleOf(next, entry);
  if (circle === undefined) return next;
  const why = `it waits for itself: ${circle.join(" → ")}`;
  return returnEntry(next, { entry: entry.id, reason: { kind: "held", why } }, context);
}

/**
 * A run may ask for a branch that a person has queued, or an earlier attempt: it is told the end from
 * now on, or it would wait for ever. A person who asks changes the priority alone.
 */
function askedAgain(entry: Entry, asked: NewEntry): Entry {
  if (asked.run !== undefined && asked.run !== entry.run) {
    return { ...entry, ...asked, after: entry.after };
  }
  return entry.priority === asked.priority ? entry : { ...entry, priority: asked.priority };
}

/** A look that began in this very moment, for one queued together with this, begins again for both. */
const lookedAtTogether = (queue: Queue, at: number): Queue =>
  queue.survey?.at === at ? { ...queue, survey: undefined, surveyAt: 0 } : queue;

function ready({ project }: Queue, { branch, head, pr }: NewEntry, { at, output }: Context): void {
  output.signals.push({
    kind: "MERGE_READY",
    at,
    project,
    identity: undefined,
    run: undefined,
    detail: { branch, head, pr_number: pr ?? null },
  });
}

/** New commits: the old head goes, unless it is being landed. */
const replace = (queue: Queue, waiting: Entry): Queue =>
  isLanding(queue, waiting.id)
    ? withEntries(queue, [waiting.id], (entry) => ({ ...entry, leaving: "new commits" }))
    : withoutEntries(queue, [waiting.id]);

function newEntry(
  queue: Queue,
  event: EventOf<"entry-requested">,
  waiting: Entry | undefined,
): Entry {
  const { after = [], ...asked } = event.entry;
  const before = waiting ?? queue.past.findLast((past) => past.branch === asked.branch);
  const earlier = waiting?.earlier ?? earlierOf(queue, asked.branch);
  return {
    ...asked,
    ...(earlier.length === 0 ? {} : { earlier }),
    id: queue.nextEntry,
    after: after.filter((branch) => !hasLanded(queue, branch)),
    requestedAt: event.at,
    attempts: (before?.attempts ?? 0) + 1,
    surveyed: false,
    worked: false,
    changesPolicy: false,
    approved: undefined,
    notBefore: undefined,
    obstacle: undefined,
    solo: false,
    troubles: 0,
    holds: 0,
    leaving: undefined,
  };
}

/** All that was queued of it: a branch with new commits that are still to land has not. */
const hasLanded = ({ entries, past }: Queue, branch: string): boolean =>
  !entries.some((entry) => entry.branch === branch) &&
  past.findLast((entry) => entry.branch === branch)?.end.kind === "merged";

const EARLIER_MAX = 10;

function earlierOf({ past }: Queue, branch: string): EarlierEntry[] {
  const before = past.findLast((entry) => entry.branch === branch);
  if (before === undefined) return [];
  const { id, head, leftAt, end, earlier = [] } = before;
  const commit = end.kind === "merged" ? { commit: end.commit } : {};
  const latest = { entry: id, head, leftAt, end: endText(before), ...commit };
  return [...earlier, latest].slice(-EARLIER_MAX);
}

/** The branches that lead from this entry back to it, if it waits for itself. */
function circleOf(queue: Queue, entry: Entry): string[] | undefined {
  const seen = new Set<string>();
  const follow = (branch: string, path: string[]): string[] | undefined => {
    if (branch === entry.branch) return [...path, branch];
    if (seen.has(branch)) return undefined;
    seen.add(branch);
    const after = activeEntry(queue, branch)?.after ?? [];
    for (const next of after) {
      const found = follow(next, [...path, branch]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const branch of entry.after) {
    const found = follow(branch, [entry.branch]);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function withdrawEntry(queue: Queue, event: EventOf<"entry-withdrawn">): Queue {
  const entry = activeEntry(queue, event.branch);
  if (entry === undefined) return queue;
  const { why, at } = event;
  if (!isLanding(queue, entry.id)) return withdrawn(queue, entry, { why, at });
  return withEntries(queue, [entry.id], (landing) => ({ ...landing, leaving: why }));
}

/**
 * Its author hears of it, where it has one. What is being landed stays: its outcome decides. What
 * was sent back is no longer listed.
 */
export function removeEntry(
  queue: Queue,
  event: EventOf<"entry-removed">,
  context: Context,
): Queue {
  const entry = queue.entries.find((other) => other.id === event.entry);
  if (entry === undefined) return withoutReturned(queue, event.entry);
  if (isLanding(queue, entry.id)) return queue;
  const why = `${event.by} removed it from the merge queue`;
  if (entry.run === undefined) return withdrawn(queue, entry, { why, at: event.at });
  return returnEntry(queue, { entry: entry.id, reason: { kind: "held", why } }, context);
}

function withoutReturned(queue: Queue, id: number): Queue {
  const past = queue.past.filter((gone) => gone.id !== id || gone.end.kind !== "returned");
  return past.length === queue.past.length ? queue : { ...queue, past };
}

/** Bound to the head that was looked at: new commits need a new approval. */
export function approveEntry(queue: Queue, event: EventOf<"entry-approved">): Queue {
  const entry = queue.entries.find((other) => other.id === event.entry);
  if (entry === undefined || entry.head !== event.head || entry.approved !== undefined)
    return queue;
  const approved = { by: event.by, at: event.at };
  return withEntries(queue, [entry.id], (waiting) => ({ ...waiting, approved }));
}
