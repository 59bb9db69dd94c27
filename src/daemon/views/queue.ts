// The merge queue as people see it: the field names that scripts read.
import type { ExplainView, QueueView } from "../../api/queue.ts";
import { plainLines } from "../../api/queue-names.ts";
import { queueAggregate } from "../../core/ids.ts";
import { explain } from "../../core/merge-queue/explain.ts";
import { queuePicture } from "../../core/merge-queue/picture.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import { queueRows, queueStatus, type QueueRow } from "../../core/merge-queue/view.ts";
import type { OutboxRow } from "../../ports/store.ts";
import type { Paths } from "../host/paths.ts";
import { iso } from "./agents.ts";

/** Deadlines that have passed are cleared when they do: what is set still holds. */
const NOW = 0;

/** Without `context` the paths on disk are left out. */
export function queueView(queue: Queue, context: { paths: Paths } | undefined): QueueView {
  const located = (row: QueueRow) => ({
    ...row,
    worktree_path:
      row.identity_name === null || context === undefined
        ? null
        : context.paths.workspace(queue.project, row.identity_name),
  });
  const rows = queueRows(queue, NOW).map(located);
  return {
    ...queueStatus(queue, NOW),
    paused: pausedBy(queue),
    picture: pictureView(queue),
    entries: rows.filter((row) => row.position !== null),
    past: rows
      .filter((row) => row.position === null)
      .map((row) => ({ ...row, left_at: row.left_at ?? row.requested_at }))
      .toReversed(),
  };
}

/** Of branches that could not be removed at once, it is not known when they will be. */
export function removedNext({ project, past }: Queue, outbox: readonly OutboxRow[]): number[] {
  const own = outbox.filter(
    ({ aggregate, attempts }) => aggregate === queueAggregate(project) && attempts === 0,
  );
  return past
    .filter(({ branch, head }) =>
      own.some(
        ({ effect }) =>
          effect.kind === "delete-branch" && effect.branch === branch && effect.head === head,
      ),
    )
    .map(({ id }) => id);
}

function pictureView(queue: Queue): NonNullable<QueueView["picture"]> {
  const { stack, building, landing, conflicts, proven, ...typical } = queuePicture(queue);
  return {
    stack: stack.map(({ entry, verdict, testingSince }) => ({
      entry,
      verdict,
      testing_since: testingSince === undefined ? null : iso(testingSince),
    })),
    building,
    landing,
    conflicts,
    proven: proven.map(({ at, tookMs, detail, ...one }) => ({
      ...one,
      at: iso(at),
      detail: detail ?? null,
      took_seconds: secondsOf(tookMs),
    })),
    typical_test_seconds: secondsOf(typical.typicalTestMs),
    typical_queue_seconds: secondsOf(typical.typicalQueueMs),
  };
}

const secondsOf = (ms: number | undefined): number | null =>
  ms === undefined ? null : Math.round(ms / 100) / 10;

/** Paused by a person, or stopped by itself: either way a person resumes it. */
export function pausedBy({ paused, stop }: Queue): { by: string; why: string } | null {
  if (stop !== undefined) {
    return { by: "pawl", why: stop.hint === undefined ? stop.why : `${stop.why} (${stop.hint})` };
  }
  return paused === undefined ? null : { by: paused.by, why: paused.why };
}

/** `isAtWork`: a daemon works on the queue. */
export const explainView = (
  queue: Queue,
  entry: number,
  told: { isAtWork: boolean },
): ExplainView =>
  plainLines(explain(queue, entry, NOW) ?? [], told).map(({ kind, text, at }) => ({
    kind,
    text,
    at: at === undefined || at === 0 ? null : iso(at),
  }));
