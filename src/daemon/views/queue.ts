// The merge queue as people see it: the fields of seed 002 under their own names.
import type { Queue } from "../../core/merge-queue/queue.ts";
import { entryStatus, inQueueOrder } from "../../core/merge-queue/queue.ts";
import type { Paths } from "../paths.ts";
import { iso } from "./agents.ts";

/** Without `context` the paths on disk are left out. */
export function queueView(queue: Queue, context: { paths: Paths } | undefined) {
  const fields = (entry: Queue["entries"][number]) => ({
    id: entry.id,
    identity_name: entry.identity ?? null,
    branch: entry.branch,
    worktree_path:
      entry.identity === undefined || context === undefined
        ? null
        : context.paths.workspace(queue.project, entry.identity),
    pr_number: entry.pr ?? null,
    bead_id: entry.issue === undefined ? null : String(entry.issue),
    node_id: null,
    requested_at: iso(entry.requestedAt),
    head: entry.head,
    priority: entry.priority,
    attempts: entry.attempts,
  });
  return {
    project: queue.project,
    paused: queue.paused === undefined ? null : { by: queue.paused.by, why: queue.paused.why },
    entries: inQueueOrder(queue.entries).map((entry) => ({
      ...fields(entry),
      status: entryStatus(queue, entry),
      reason: entry.obstacle ?? null,
    })),
    past: queue.past.map((entry) => ({
      ...fields(entry),
      status: entry.end.kind,
      left_at: iso(entry.leftAt),
    })),
  };
}
