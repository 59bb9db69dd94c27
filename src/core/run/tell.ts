// What a run tells others: signals about its identity, the reviewers, and the asker of its task.
import type { Context } from "../context.ts";
import type { SignalKind } from "../signal.ts";
import type { Run } from "./run.ts";
import { withoutFetch } from "./stage.ts";
import { queueAggregate, reviewsAggregate } from "../ids.ts";
import type { TaskOutcome } from "../task.ts";

export function announce(
  run: Run,
  news: { kind: SignalKind; detail: Record<string, unknown> },
  context: Context,
): void {
  context.output.signals.push({
    kind: news.kind,
    at: context.at,
    project: run.project,
    identity: run.identity,
    run: run.id,
    detail: { session_id: run.session?.id, ...news.detail },
  });
}

// A run that leaves its review: there are new commits, or it has ended; its reviewer need not go on.

type Leaving = { over: boolean; gone?: boolean };

/** `gone`: the PR has ended too, and will not be asked about again. */
export function leaveReview(run: Run, { over, gone }: Leaving, context: Context): void {
  if (run.config.review.role === undefined || run.pr === undefined) return;
  const { pr } = run;
  const ended = gone === true ? { gone } : {};
  context.output.tells.push({
    to: reviewsAggregate(run.project),
    event: { kind: "review-unwanted", at: context.at, pr, over, ...ended },
  });
}

// Tells the asker of a task what became of it; an issue has no asker.

export function tellAsker(run: Run, outcome: TaskOutcome, { at, output }: Context): void {
  if (run.work.kind !== "task") return;
  const { by, key } = run.work.task;
  output.tells.push({ to: by, event: { kind: "task-finished", at, key, run: run.id, outcome } });
}

// No longer wanting what others do for a run: its fetch, its check, its place in the merge queue.

/** The run decides again. A branch that is fetched after this must not send it on. */
export function recallBranch(run: Run, why: string, context: Context): Run {
  if (run.stage.kind === "queued") leaveQueue(run, why, context);
  else if (run.stage.kind !== "checking") return unfetched(run);
  return { ...run, stage: { kind: "working" } };
}

export function unfetched(run: Run): Run {
  const stage = withoutFetch(run.stage);
  return stage === run.stage ? run : { ...run, stage };
}

export function leaveQueue(run: Run, why: string, context: Context): void {
  context.output.tells.push({
    to: queueAggregate(run.project),
    event: { kind: "entry-withdrawn", at: context.at, branch: run.branch, why },
  });
}
