// Who comes next, and why the others wait: the order of the queue, and the entries of it that may
// be stacked now. Pure; the same for planning, for lists and for explanations.
import { conflictWith, matrixOf, type ConflictMatrix } from "./conflicts.ts";
import { isLanding, type Entry, type Queue } from "./queue.ts";

/**
 * A level of priority is worth this much waiting. Priority ages by construction: an entry that has
 * waited longer than another's advantage goes first, and the order never changes with time.
 */
const PRIORITY_HEAD_START_MS = 30 * 60_000;

const rank = (entry: Entry): number => entry.requestedAt - entry.priority * PRIORITY_HEAD_START_MS;

export const inQueueOrder = (entries: Entry[]): Entry[] =>
  entries.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id);

/** Why an entry is not stacked now. */
export type Waiting =
  /** Its conflicts have not been looked for yet. */
  | { kind: "survey" }
  /** It changes the gates or the policy: an operator must approve. */
  | { kind: "operator"; /** What it changes, where that is known. */ paths?: string[] }
  | { kind: "held"; until: number; obstacle: string }
  /** Branches that must land first. */
  | { kind: "after"; branches: string[] }
  /** It conflicts with one that goes first; when that has landed, it goes back with these files. */
  | { kind: "conflict"; with: number; files: string[] }
  /** Others wait until a change of the gates has landed: they are tested by the new ones. */
  | { kind: "policy-change"; by: number };

export type Selection = { chosen: Entry[]; waiting: Map<number, Waiting> };

/** `first`: entries that are stacked already and stay so, in order. */
export function select(queue: Queue, now: number, first: Entry[] = []): Selection {
  const selection: Selection = { chosen: [...first], waiting: new Map() };
  // With a resolver only what it could not resolve keeps two entries apart.
  const { resolve } = queue.policy ?? {};
  const matrix = matrixOf(
    resolve === undefined ? queue.conflicts : queue.conflicts.filter(({ tried }) => tried === true),
  );
  const stacked = new Set(first.map((entry) => entry.id));
  let rest = inQueueOrder(queue.entries).filter(
    (entry) => !stacked.has(entry.id) && !isLanding(queue, entry.id),
  );
  // An entry may wait for one that comes later in order: look again while that changes anything.
  for (;;) {
    const before = selection.chosen.length;
    rest = rest.filter((entry) => !take(entry, { selection, matrix, now }));
    if (selection.chosen.length === before) return selection;
    rest = rest.filter((entry) => selection.waiting.get(entry.id)?.kind === "after");
  }
}

function take(
  entry: Entry,
  look: { selection: Selection; matrix: ConflictMatrix; now: number },
): boolean {
  const { chosen, waiting } = look.selection;
  const why = waitingOf(entry, look);
  if (why === undefined) {
    chosen.push(entry);
    waiting.delete(entry.id);
  } else waiting.set(entry.id, why);
  return why === undefined;
}

function waitingOf(
  entry: Entry,
  look: { selection: Selection; matrix: ConflictMatrix; now: number },
): Waiting | undefined {
  const { chosen } = look.selection;
  if (!entry.surveyed) return { kind: "survey" };
  if (entry.changesPolicy && entry.approved === undefined) {
    const { protectedPaths: paths } = entry;
    return { kind: "operator", ...(paths === undefined ? {} : { paths }) };
  }
  if (entry.notBefore !== undefined && entry.notBefore > look.now) {
    return { kind: "held", until: entry.notBefore, obstacle: entry.obstacle ?? "" };
  }
  const last = chosen.at(-1);
  if (last?.changesPolicy === true) return { kind: "policy-change", by: last.id };
  const unmet = entry.after.filter((branch) => !chosen.some((other) => other.branch === branch));
  if (unmet.length > 0) return { kind: "after", branches: unmet };
  const conflict = conflictWith(look.matrix, entry, chosen);
  if (conflict === undefined) return undefined;
  return { kind: "conflict", with: conflict.entry.id, files: conflict.files };
}
