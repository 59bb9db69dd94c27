// The merge queue of a project: the only way onto the target. This file owns its state;
// step-queue.ts changes it. What people see of an entry is derived, never stored a second time.
import type { CheckOutcome } from "../check.ts";
import type { CiConfig } from "../config.ts";
import type { Commit, ProjectName, RunId, Tree } from "../ids.ts";
import type { MergeStrategy } from "./entry.ts";

/** Why an entry went back to its author. */
export type ReturnReason =
  | { kind: "conflict"; files: string[] }
  | { kind: "tests"; outcome: Extract<CheckOutcome, { kind: "failed" }> }
  | { kind: "held"; why: string };

export type NewEntry = {
  /** Undefined for a branch that a person added. */
  run: RunId | undefined;
  identity: string | undefined;
  branch: string;
  head: Commit;
  pr: number | undefined;
  issue: number | undefined;
  title: string;
  priority: number;
  ci: CiConfig;
  strategy: MergeStrategy;
};

export type Entry = NewEntry & {
  id: number;
  requestedAt: number;
  attempts: number;
  /** Not before this instant: the user's checkout was in the way, or the machinery failed. */
  notBefore: number | undefined;
  /** What is in its way, for people. */
  obstacle: string | undefined;
  troubles: number;
};

/** An entry that left the queue, kept for a while so that people can see what became of it. */
export type PastEntry = Entry & {
  leftAt: number;
  end:
    | { kind: "merged"; commit: Commit }
    | { kind: "returned"; reason: ReturnReason }
    | { kind: "withdrawn"; why: string };
};

/**
 * The one test under way. Every try has a ref of its own, so that the outcome of an abandoned try
 * is never taken for the current one's.
 *
 *   building ──> checking ──green──> landing
 *                   └──red──> proving (is the bare target green?) ──> back to the author, or stop
 */
export type Test = { ref: string; entry: number } & (
  | { step: "building" }
  | { step: "checking"; onto: Commit; commit: Commit; tree: Tree }
  | { step: "proving"; onto: Commit; outcome: Extract<CheckOutcome, { kind: "failed" }> }
  | { step: "landing"; onto: Commit; commit: Commit; tree: Tree; outcome: CheckOutcome }
);

export type Queue = {
  kind: "queue";
  project: ProjectName;
  nextEntry: number;
  nextTest: number;
  entries: Entry[];
  past: PastEntry[];
  test: Test | undefined;
  paused: { by: string; why: string; at: number } | undefined;
};

/** Priority first, then first come first served. */
export const inQueueOrder = (entries: Entry[]): Entry[] =>
  entries.toSorted(
    (a, b) => b.priority - a.priority || a.requestedAt - b.requestedAt || a.id - b.id,
  );

export type EntryStatus = "queued" | "building" | "checking" | "proving" | "landing" | "held";

export function entryStatus(queue: Queue, entry: Entry): EntryStatus {
  if (queue.test?.entry === entry.id) return queue.test.step;
  return entry.notBefore === undefined ? "queued" : "held";
}
