// What people see of an entry, derived from what is stored and never stored a second time.
import { inQueueOrder, select, type Selection } from "./order.ts";
import { isLanding, type Entry, type PastEntry, type Queue } from "./queue.ts";

export type EntryStatus =
  | "queued"
  | "building"
  | "testing"
  /** It is part of a prefix that failed and is being split. */
  | "narrowing"
  /** Its prefix passed and is about to land. */
  | "passed"
  | "landing"
  | "held"
  /** For an operator, for another branch, or for one that it conflicts with. */
  | "waiting"
  | "merged"
  | "returned"
  | "withdrawn";

export function entryStatus(
  queue: Queue,
  entry: Entry | PastEntry,
  chosen: Selection,
): EntryStatus {
  if ("end" in entry) return entry.end.kind;
  if (isLanding(queue, entry.id)) return "landing";
  const position = queue.stack.findIndex((slot) => slot.entry === entry.id);
  if (position !== -1) return stackedStatus(queue, position);
  if (queue.building?.entries.includes(entry.id) === true) return "building";
  const waiting = chosen.waiting.get(entry.id);
  if (waiting === undefined || waiting.kind === "survey") return "queued";
  return waiting.kind === "held" ? "held" : "waiting";
}

function stackedStatus(queue: Queue, position: number): EntryStatus {
  const above = queue.stack.slice(position);
  if (above.some((slot) => slot.verdict?.kind === "green")) return "passed";
  if (above.some((slot) => slot.verdict?.kind === "red")) return "narrowing";
  return above.some((slot) => slot.test !== undefined) ? "testing" : "queued";
}

/** The order in which entries would land as things stand: stacked, then chosen, then waiting. */
export function inLandingOrder(queue: Queue, now: number): { entries: Entry[]; chosen: Selection } {
  const byId = new Map(queue.entries.map((entry) => [entry.id, entry]));
  const stacked = queue.stack.flatMap((slot) => byId.get(slot.entry) ?? []);
  const chosen = select(queue, now, stacked);
  const placed = new Set(chosen.chosen.map((entry) => entry.id));
  const rest = inQueueOrder(queue.entries).filter((entry) => !placed.has(entry.id));
  return { entries: [...chosen.chosen, ...rest], chosen };
}
