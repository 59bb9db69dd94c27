// Entries that leave the queue: merged, sent back to their author, or cancelled. Tells the run
// and the signals in the same step; an entry leaves exactly once.
import type { Context } from "../context.ts";
import { projectAggregate, queueAggregate, runAggregate, type Commit } from "../ids.ts";
import {
  entryById,
  type BranchPlace,
  type Entry,
  type PastEntry,
  type Queue,
  type ReturnReason,
} from "./queue.ts";
import { withoutEntries } from "./stack.ts";

/** What was sent back stays listed until it is queued again, however much lands meanwhile. */
const RETURNED_MAX = 200;
const OTHERS_MAX = 50;

/** Their content is proven on the target; `commit`: what each of them became there. */
export function merged(
  queue: Queue,
  landed: { entry: number; commit: Commit }[],
  context: Context,
): Queue {
  const found = landed.flatMap(({ entry: id, commit }) => {
    const entry = entryById(queue, id);
    return entry === undefined ? [] : [{ entry, commit }];
  });
  for (const one of found) tellMerged(queue, one, context);
  const branches = new Set(found.map(({ entry }) => entry.branch));
  const left = leave(
    queue,
    found.map(({ entry, commit }) => ({
      ...entry,
      leftAt: context.at,
      end: { kind: "merged", commit },
    })),
  );
  return {
    ...left,
    entries: left.entries.map((entry) =>
      entry.after.some((branch) => branches.has(branch))
        ? { ...entry, after: entry.after.filter((branch) => !branches.has(branch)) }
        : entry,
    ),
  };
}

function tellMerged(
  queue: Queue,
  { entry, commit }: { entry: Entry; commit: Commit },
  { at, output }: Context,
): void {
  if (!isTold(queue, entry, commit)) {
    signal(queue, { kind: "MERGE_COMPLETE", entry, detail: { commit } }, { at, output });
  }
  const { head, issue } = entry;
  if (entry.run !== undefined) {
    output.tells.push({
      to: runAggregate(queue.project, entry.run),
      event: { kind: "entry-landed", at, commit, head },
    });
    // Its run may be over by now, and then remembers nothing: the issue's next run must know.
    if (entry.leaving !== undefined && issue !== undefined) {
      output.tells.push({
        to: projectAggregate(queue.project),
        event: { kind: "head-landed", at, issue, head },
      });
    }
    return;
  }
  // A run deletes its branch itself; for a branch that a person added, the queue does.
  const aggregate = queueAggregate(queue.project);
  output.effects.push({
    key: `${aggregate}:delete-branch:${entry.id}`,
    lane: `${aggregate}:clear`,
    effect: { kind: "delete-branch", branch: entry.branch, head },
  });
}

/** A later head of a run that adds nothing to what landed: plugins would run again for one commit. */
function isTold(queue: Queue, entry: Entry, commit: Commit): boolean {
  const { branch, run, earlier = [] } = entry;
  if (run === undefined) return false;
  const ends = queue.past.filter((past) => past.branch === branch).map((past) => past.end);
  return (
    ends.some((end) => end.kind === "merged" && end.commit === commit) ||
    earlier.some((before) => before.commit === commit)
  );
}

/** The branch of an entry that landed is gone: people are told where it was. */
export function branchDeleted(
  queue: Queue,
  { branch, head, from }: { branch: string; head: Commit; from: BranchPlace },
): Queue {
  const past = queue.past.map((entry) =>
    entry.branch === branch && entry.head === head && entry.end.kind === "merged"
      ? { ...entry, end: { ...entry.end, removed: from } }
      : entry,
  );
  return { ...queue, past };
}

export function returnEntry(
  queue: Queue,
  given: { entry: number; reason: ReturnReason },
  context: Context,
): Queue {
  const entry = entryById(queue, given.entry);
  if (entry === undefined) return queue;
  const { reason } = given;
  const files = reason.kind === "conflict" ? reason.files : [];
  const detail = { reason: reason.kind, conflict_files: files };
  signal(queue, { kind: "MERGE_CONFLICT", entry, detail }, context);
  if (entry.run !== undefined) {
    context.output.tells.push({
      to: runAggregate(queue.project, entry.run),
      event: { kind: "entry-returned", at: context.at, head: entry.head, reason },
    });
  }
  return leave(queue, [{ ...entry, leftAt: context.at, end: { kind: "returned", reason } }]);
}

export function withdrawn(queue: Queue, entry: Entry, left: { why: string; at: number }): Queue {
  const end = { kind: "withdrawn", why: left.why } as const;
  return leave(queue, [{ ...entry, leftAt: left.at, end }]);
}

/** Of each branch, what has landed, and how it left last. */
function leave(queue: Queue, gone: PastEntry[]): Queue {
  const latest = new Map(gone.map((entry) => [entry.branch, entry]));
  const before = queue.past.filter((entry) => {
    const after = latest.get(entry.branch);
    return after === undefined || (entry.end.kind === "merged" && !isSameLanding(entry, after));
  });
  return {
    ...withoutEntries(
      queue,
      gone.map((entry) => entry.id),
    ),
    past: bounded([...before, ...gone]),
  };
}

/** A run may ask again for what it landed: that is one landing, which the later entry stands for. */
const isSameLanding = (one: PastEntry, other: PastEntry): boolean =>
  one.end.kind === "merged" &&
  other.end.kind === "merged" &&
  (one.head === other.head || one.end.commit === other.end.commit);

function bounded(past: PastEntry[]): PastEntry[] {
  const returned = past.filter((entry) => entry.end.kind === "returned").slice(-RETURNED_MAX);
  const others = past.filter((entry) => entry.end.kind !== "returned").slice(-OTHERS_MAX);
  const kept = new Set([...returned, ...others]);
  return past.filter((entry) => kept.has(entry));
}

function signal(
  queue: Queue,
  about: {
    kind: "MERGE_COMPLETE" | "MERGE_CONFLICT";
    entry: Entry;
    detail: Record<string, unknown>;
  },
  { at, output }: Context,
): void {
  const { kind, entry, detail } = about;
  output.signals.push({
    kind,
    at,
    project: queue.project,
    identity: entry.identity,
    run: entry.run,
    detail: { entry: entry.id, branch: entry.branch, pr_number: entry.pr ?? null, ...detail },
  });
}
