// What a run tells others when it happens: signals about its identity; the reviewers, the merge queue
// and the asker of its task; and people, by a notification, words on an issue, the status of a commit.
import * as say from "../words/messages.ts";
import type { Context } from "../context.ts";
import type { SignalKind } from "../signal.ts";
import { askedOn, shownRef, titleOf, type Run } from "./run.ts";
import { laneOf } from "./obligations.ts";
import { withoutFetch } from "./stage.ts";
import { queueAggregate, reviewsAggregate, runAggregate, type Commit } from "../ids.ts";
import type { TaskOutcome } from "../task.ts";
import type { CheckOutcome } from "../check.ts";
import type { Effect } from "../effect.ts";

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

// News for people. It stands for no state of the run.

/** Sent once, whatever becomes of the run. */
function news(run: Run, { name, effect }: { name: string; effect: Effect }, context: Context) {
  const key = `${runAggregate(run.project, run.id)}:${name}`;
  context.output.effects.push({ key, lane: laneOf(run, effect.kind, key), effect });
}

export function notify(
  run: Run,
  about: { severity: "warning" | "urgent"; about: string; round: string },
  context: Context,
): void {
  const issue = askedOn(run);
  const effect: Effect = {
    kind: "notify",
    severity: about.severity,
    title: `${shownRef(run)} ${titleOf(run)}`,
    body: about.about,
    ...(issue === undefined ? {} : { issue }),
  };
  news(run, { name: `notify:${about.round}:${context.at}`, effect }, context);
}

export function sayOnIssue(
  run: Run,
  { name, ...words }: { name: string; on: number; body: string; since?: number },
  context: Context,
): void {
  news(run, { name, effect: { kind: "say-on-issue", ...words } }, context);
}

/**
 * The result of Pawl's own CI for a head, on the forge that has its PR, for people to see there.
 * `undefined`: it has begun.
 */
export function postStatus(
  run: Run,
  { head, outcome }: { head: Commit; outcome: CheckOutcome | undefined },
  context: Context,
): void {
  if (run.config.forge === undefined) return;
  const state = STATES[outcome?.kind ?? "begun"];
  const { phase, counts } = run;
  const name = `status:${head}:${phase?.ordinal ?? 0}:${counts.infraRetries}:${state}`;
  const description = say.ciStatus(outcome);
  news(run, { name, effect: { kind: "post-status", head, state, description } }, context);
}

const STATES = {
  begun: "pending",
  passed: "success",
  failed: "failure",
  infra: "error",
} as const;
