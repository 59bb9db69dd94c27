// What came of a build: new slots of the stack, entries that add nothing, changes of the rules that
// wait for an operator, and heads that conflict with those before them.
import type { Context } from "../context.ts";
import type { QueueEvent } from "./queue-event.ts";
import { withConflicts } from "./conflicts.ts";
import {
  entryById,
  record,
  withEntries,
  type Building,
  type Entry,
  type Queue,
  type Slot,
} from "./queue.ts";
import { returnEntry, merged } from "./settle.ts";
import { prepare } from "./prepared.ts";
import { conflicted } from "./survey.ts";

type Built = Extract<QueueEvent, { kind: "candidate-built" }>;

export function candidateBuilt(queue: Queue, event: Built, context: Context): Queue {
  const { building } = queue;
  if (building?.ref !== event.ref) return queue;
  const idle = event.empty.map(({ index }) => building.entries[index]);
  const adding = building.entries.filter((id) => !idle.includes(id));
  const noted = withEntries({ ...queue, building: undefined }, building.entries, (entry) => ({
    ...entry,
    worked: entry.worked || adding.includes(entry.id),
    ...changesOf(event, building.entries.indexOf(entry.id)),
    ...resolutionOf(event, building.entries.indexOf(entry.id)),
  }));
  const slots = slotsOf(noted, building, event);
  if (building.without !== undefined) {
    // One that adds nothing is settled when it is stacked, and those behind it are built again.
    const empty = slots.findIndex(({ entry }) => idle.includes(entry));
    return prepare(noted, building, empty === -1 ? slots : slots.slice(0, empty));
  }
  const stacked: Queue = { ...noted, stack: [...noted.stack, ...slots] };
  return settleEmpty(stacked, { building, event }, context);
}

const PATHS_MAX = 20;

function changesOf(
  event: Built,
  index: number,
): Pick<Entry, "changesPolicy"> & Partial<Pick<Entry, "protectedPaths">> {
  const at = event.changesPolicy.indexOf(index);
  const protectedPaths = event.protectedPaths?.[at]?.slice(0, PATHS_MAX);
  return { changesPolicy: at !== -1, ...(protectedPaths === undefined ? {} : { protectedPaths }) };
}

const RESOLVED_MAX = 20;

/** Of its latest candidate: an earlier one may have been resolved where this one merges by itself. */
function resolutionOf({ resolved = [] }: Built, index: number): Pick<Entry, "resolved"> {
  const found = resolved.find((one) => one.index === index);
  if (found === undefined) return { resolved: undefined };
  return { resolved: { by: found.by, files: found.files.slice(0, RESOLVED_MAX) } };
}

/** The new slots, up to the first unapproved change of the rules. */
function slotsOf(queue: Queue, building: Building, event: Built): Slot[] {
  const slots = building.entries.flatMap((entry, index): Slot[] => {
    const commit = event.tips[index];
    if (commit === undefined) return [];
    return [{ entry, commit, build: building.ref, test: undefined, verdict: undefined }];
  });
  const forbidden = slots.findIndex((slot) => {
    const entry = entryById(queue, slot.entry);
    return entry?.changesPolicy === true && entry.approved === undefined;
  });
  const allowed = forbidden === -1 ? slots : slots.slice(0, forbidden);
  // What follows a change of the rules is tested by the new ones, once that has landed.
  const changes = allowed.findIndex((slot) => entryById(queue, slot.entry)?.changesPolicy === true);
  return changes === -1 ? allowed : allowed.slice(0, changes + 1);
}

/** Nothing new for the target: its content is there already, or there never was any. */
function settleEmpty(
  queue: Queue,
  { building, event }: { building: Building; event: Built },
  context: Context,
): Queue {
  let next = queue;
  const target = queue.target?.commit;
  for (const { index, landed } of event.empty) {
    const id = building.entries[index];
    const entry = id === undefined ? undefined : entryById(next, id);
    if (entry === undefined) continue;
    const there = landed || entry.worked;
    if (!there) {
      const why = `the branch ${entry.branch} has no changes that are not on the target already`;
      const reason = { kind: "held", why, isEmpty: true } as const;
      next = returnEntry(next, { entry: entry.id, reason }, context);
    } else if (target !== undefined && event.tips[index] === target) {
      next = merged(next, [{ entry: entry.id, commit: target }], context);
    }
  }
  return next;
}

/**
 * On top of the bare target it is a conflict with the target. On top of others it is one with them:
 * it waits until they have landed or left, since its author could not fix it earlier.
 */
export function candidateConflicted(
  queue: Queue,
  event: Extract<QueueEvent, { kind: "candidate-conflicted" }>,
  context: Context,
): Queue {
  const { building } = queue;
  if (building?.ref !== event.ref) return queue;
  const next: Queue = { ...queue, building: undefined };
  // It is found again if they are really stacked.
  if (building.without !== undefined) return prepare(next, building, []);
  const id = building.entries[event.index];
  const entry = id === undefined ? undefined : entryById(next, id);
  if (entry === undefined) return next;
  const { files, by, unresolved } = event;
  const below = [
    ...next.stack.map((slot) => slot.entry),
    ...building.entries.slice(0, event.index),
  ];
  if (below.length === 0 || event.onTarget === true) {
    const found = { entry: entry.id, files, ...(by && { by }) };
    return conflicted(next, { ...found, ...(unresolved && { unresolved }) }, context);
  }
  // Where none of them changes the files, they are all kept apart from it.
  const named = below.filter((_entry, position) => event.with?.includes(position));
  const before = (named.length > 0 ? named : below).flatMap(
    (other) => entryById(next, other) ?? [],
  );
  const tried = next.policy?.resolve === undefined ? {} : { tried: true as const };
  const facts = before.map((other) => ({ a: other.head, b: entry.head, files, ...tried }));
  const noted = record(next, {
    kind: "conflicted",
    at: context.at,
    entries: [...before.map((other) => other.id), entry.id],
    commit: undefined,
    files,
  });
  return { ...noted, conflicts: withConflicts(noted.conflicts, facts, noted.entries) };
}
