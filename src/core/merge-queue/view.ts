// The queue as plain rows for `merge-queue list --json`, `status` and the published copy: the
// field names that scripts read. Paths on disk are added by the daemon.
import { reasonText, stepAfterReturn, waitingText } from "./explain.ts";
import { failureRate } from "./estimate.ts";
import { isFrozen, type Entry, type PastEntry, type Queue, type QueueRecord } from "./queue.ts";
import { batchSize } from "./savings.ts";
import { entryStatus, inLandingOrder, type EntryStatus } from "./status.ts";

export type QueueRow = {
  id: number;
  /** From 1 in landing order; null for what has left the queue. */
  position: number | null;
  identity_name: string | null;
  branch: string;
  pr_number: number | null;
  bead_id: string | null;
  node_id: string | null;
  requested_at: string;
  status: EntryStatus;
  head: string;
  priority: number;
  attempts: number;
  after: string[];
  /** Why it waits, or why it left. */
  reason: string | null;
  conflict_files: string[];
  changes_policy: boolean;
  protected_files: string[];
  approved_by: string | null;
  /** The program that resolved its conflicts with what is below it, and the files. */
  resolved_by: string | null;
  resolved_files: string[];
  left_at: string | null;
  merged_as: string | null;
  /** Where its branch was removed after it landed: "upstream" or "checkout". */
  branch_removed: string | null;
  /** What its author does next, where a person's branch was sent back. */
  next_step: string | null;
  evidence: EvidenceRow[];
};

export type EvidenceRow = { at: string; kind: string; result: string; entries: number[] };

const iso = (at: number): string => new Date(at).toISOString();

/** First what is queued, in landing order; then what left, the latest first. */
export function queueRows(queue: Queue, now: number): QueueRow[] {
  const { entries, chosen } = inLandingOrder(queue, now);
  const evidence = evidenceByEntry(queue);
  const active = entries.map((entry, index) => {
    const waiting = chosen.waiting.get(entry.id);
    return {
      ...fields(entry, evidence),
      position: index + 1,
      status: entryStatus(queue, entry, chosen),
      reason: waiting === undefined ? (entry.obstacle ?? null) : waitingText(queue, waiting),
      conflict_files: waiting?.kind === "conflict" ? waiting.files : [],
      left_at: null,
      merged_as: null,
      branch_removed: null,
      next_step: null,
    };
  });
  return [...active, ...queue.past.toReversed().map((entry) => pastRow(entry, evidence))];
}

type Fields = Omit<
  QueueRow,
  | "position"
  | "status"
  | "reason"
  | "conflict_files"
  | "left_at"
  | "merged_as"
  | "branch_removed"
  | "next_step"
>;

const fields = (entry: Entry, evidence: Evidence): Fields => ({
  id: entry.id,
  identity_name: entry.identity ?? null,
  branch: entry.branch,
  pr_number: entry.pr ?? null,
  bead_id: entry.issue === undefined ? null : String(entry.issue),
  node_id: entry.node ?? null,
  requested_at: iso(entry.requestedAt),
  head: entry.head,
  priority: entry.priority,
  attempts: entry.attempts,
  after: entry.after,
  changes_policy: entry.changesPolicy,
  protected_files: entry.changesPolicy ? (entry.protectedPaths ?? ["pawl.toml"]) : [],
  approved_by: entry.approved?.by ?? null,
  resolved_by: entry.resolved?.by ?? null,
  resolved_files: entry.resolved?.files ?? [],
  evidence: evidence.get(entry.id) ?? [],
});

function pastRow(entry: PastEntry, evidence: Evidence): QueueRow {
  const { end } = entry;
  const returned = end.kind === "returned" ? end.reason : undefined;
  const why = end.kind === "withdrawn" ? end.why : null;
  return {
    ...fields(entry, evidence),
    position: null,
    status: end.kind,
    reason: returned === undefined ? why : reasonText(returned),
    conflict_files: returned?.kind === "conflict" ? returned.files : [],
    left_at: iso(entry.leftAt),
    merged_as: end.kind === "merged" ? end.commit : null,
    branch_removed: end.kind === "merged" ? (end.removed ?? null) : null,
    next_step: stepAfterReturn(entry) ?? null,
  };
}

type Evidence = ReadonlyMap<number, EvidenceRow[]>;

/** Of all entries in one go: a queue remembers hundreds of them, and as many facts. */
function evidenceByEntry({ records }: Queue): Evidence {
  const byEntry = new Map<number, EvidenceRow[]>();
  for (const fact of records) {
    const row = evidenceRow(fact);
    for (const id of new Set(fact.entries)) {
      const known = byEntry.get(id);
      if (known === undefined) byEntry.set(id, [row]);
      else known.push(row);
    }
  }
  return byEntry;
}

/** A fact never changes, and a queue is shown each time it moves. */
const rows = new WeakMap<QueueRecord, EvidenceRow>();

function evidenceRow(fact: QueueRecord): EvidenceRow {
  const known = rows.get(fact);
  if (known !== undefined) return known;
  const { at, kind, entries } = fact;
  const result = kind === "checked" ? fact.result : kind;
  const row = { at: iso(at), kind, result, entries };
  rows.set(fact, row);
  return row;
}

export type QueueStatus = {
  project: string;
  state: "idle" | "working" | "paused" | "stopped" | "waiting";
  why: string | null;
  hint: string | null;
  queued: number;
  testing: number;
  landing: number;
  target: string | null;
  target_proof: string | null;
  failure_rate: number;
  step: number | null;
  lanes: number | null;
  /** The CI infrastructure failed; the queue tries again at this time. */
  retry_at: string | null;
};

export function queueStatus(queue: Queue, now: number): QueueStatus {
  const rate = failureRate(queue.rate);
  const { policy, target } = queue;
  return {
    project: queue.project,
    state: stateOf(queue, now),
    why: queue.stop?.why ?? queue.paused?.why ?? waitsFor(queue, now),
    hint: queue.stop?.hint ?? null,
    queued: queue.entries.length,
    testing: queue.stack.filter((slot) => slot.test !== undefined).length,
    landing: queue.landing?.entries.length ?? 0,
    target: target?.commit ?? null,
    target_proof: target?.proof ?? null,
    failure_rate: rate,
    step: policy === undefined ? null : batchSize(queue, policy, 0),
    lanes: policy?.lanes ?? null,
    retry_at: retryAt(queue),
  };
}

const retryAt = ({ trouble, stop, paused }: Queue): string | null =>
  trouble === undefined || trouble.until === 0 || stop !== undefined || paused !== undefined
    ? null
    : iso(trouble.until);

function stateOf(queue: Queue, now: number): QueueStatus["state"] {
  if (queue.stop !== undefined) return "stopped";
  if (queue.paused !== undefined) return "paused";
  if (isFrozen(queue, now)) return "waiting";
  if (queue.entries.length === 0) return "idle";
  return isAtWork(queue) ? "working" : "waiting";
}

/** True while an effect is under way whose outcome moves the queue. */
export const isAtWork = (queue: Queue): boolean =>
  queue.survey !== undefined ||
  queue.building !== undefined ||
  queue.landing?.ref !== undefined ||
  queue.target?.test !== undefined ||
  queue.stack.some((slot) => slot.test !== undefined);

const waitsFor = (queue: Queue, now: number): string | null =>
  queue.trouble !== undefined && queue.trouble.until > now ? queue.trouble.message : null;
