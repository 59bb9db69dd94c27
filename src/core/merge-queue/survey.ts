// Taking in what a survey saw: where the target is, which rules hold there, which heads conflict.
// What conflicts with the target goes back at once, before any check is spent on it, unless a resolver
// may help.
import type { Context } from "../context.ts";
import type { QueueEvent } from "./queue-event.ts";
import type { Commit } from "../ids.ts";
import { withConflicts } from "./conflicts.ts";
import {
  isLanding,
  record,
  withEntries,
  type ChangedBy,
  type ConflictFact,
  type Queue,
} from "./queue.ts";
import { doubted } from "./prove.ts";
import { returnEntry } from "./settle.ts";
import { overtake, retarget } from "./stack.ts";

type Observed = Extract<QueueEvent, { kind: "conflicts-observed" }>;

const RED_TARGET_LOOK_MS = 60_000;

export function conflictsObserved(queue: Queue, event: Observed, context: Context): Queue {
  const { survey } = queue;
  if (survey?.ref !== event.ref) return queue;
  const looked = withEntries({ ...queue, survey: undefined }, survey.entries, (entry) => ({
    ...entry,
    surveyed: true,
  }));
  const known: Queue = {
    ...looked,
    conflicts: withConflicts(looked.conflicts, event.conflicts, looked.entries),
  };
  // With a landing of ours in between, another target may be from before it: the next one tells.
  const overtaken = survey.stale || queue.landing !== undefined;
  if (overtaken && queue.target?.commit !== event.target) return known;
  const { inDoubt: _before, ...certain } = known;
  const based = standOn(certain, event, context);
  return conflictsWithTarget(based, event, context);
}

function standOn(queue: Queue, event: Observed, context: Context): Queue {
  const changed = JSON.stringify(queue.policy) !== JSON.stringify(event.policy);
  const next: Queue = { ...queue, policy: event.policy };
  if (next.target?.commit !== event.target) {
    const moved = overtake(next, event.target, context);
    return changed ? moved : underProof(queue, moved);
  }
  // The same target by other rules (no pawl.toml there yet, and the user's was changed).
  if (changed && queue.policy !== undefined) return retarget(next, event.target);
  const watching = queue.stop?.kind === "red-target";
  return watching ? { ...next, surveyAt: context.at + RED_TARGET_LOOK_MS } : next;
}

/** What agents wait for is checked to its end, also on a target that has moved since. */
function underProof({ target, proofAsked }: Queue, moved: Queue): Queue {
  if (proofAsked === undefined || target?.test === undefined || moved.target === undefined) {
    return moved;
  }
  const test = { ...target.test, commit: target.test.commit ?? target.commit };
  return { ...moved, target: { ...moved.target, test } };
}

function conflictsWithTarget(queue: Queue, event: Observed, context: Context): Queue {
  // The resolver is asked when it is built.
  if (event.policy.resolve !== undefined) return queue;
  const facts = new Map<Commit, ConflictFact>();
  for (const fact of event.conflicts) {
    const head = otherThan(fact, event.target);
    if (head !== undefined) facts.set(head, fact);
  }
  return queue.entries.reduce((next, entry) => {
    const found = facts.get(entry.head);
    if (found === undefined || isLanding(next, entry.id)) return next;
    const { files, by } = found;
    return conflicted(next, { entry: entry.id, files, ...(by && { by }) }, context);
  }, queue);
}

function otherThan(fact: ConflictFact, target: Commit): Commit | undefined {
  if (fact.a === target) return fact.b;
  return fact.b === target ? fact.a : undefined;
}

/** It does not go onto the target as it is: back to its author, with the files. */
export function conflicted(
  queue: Queue,
  found: { entry: number; files: string[]; by?: ChangedBy[]; unresolved?: string },
  context: Context,
): Queue {
  const { entry, files, unresolved } = found;
  const by = found.by?.map((change) => landedAs(queue, change));
  const commit = queue.target?.commit;
  const noted = record(queue, {
    kind: "conflicted",
    at: context.at,
    entries: [entry],
    commit,
    files,
  });
  const reason = {
    kind: "conflict",
    files,
    ...(by && { by }),
    ...(unresolved === undefined ? {} : { unresolved }),
  } as const;
  return returnEntry(noted, { entry, reason }, context);
}

/** With the entry that landed as this commit, where it is one that is still remembered. */
function landedAs({ past }: Queue, change: ChangedBy): ChangedBy {
  const found = past.findLast(({ end }) => end.kind === "merged" && end.commit === change.commit);
  if (found === undefined) return change;
  const { id, branch, issue } = found;
  return { ...change, entry: { id, branch, issue } };
}

/** The daemon saw the target somewhere: if it is not where we think, look properly. */
export function targetObserved(queue: Queue, target: Commit): Queue {
  const known = queue.target?.commit;
  const ours = queue.landing?.commit === target;
  if (known === undefined || known === target || ours) return queue;
  return queue.inDoubt === true ? queue : doubted(queue);
}
