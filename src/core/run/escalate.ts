// Asking a person, being answered, and giving up. An escalation keeps the work and, where it
// lives, the session; a person is reminded, and after the deadline the issue is blocked.
import type { Context } from "../context.ts";
import type { Obligation } from "../effect.ts";
import { runAggregate } from "../ids.ts";
import { LABELS } from "../issue.ts";
import { answer, blockedDiagnostic } from "../messages.ts";
import { isLive } from "../session/session.ts";
import { clearAway, finish } from "./clear.ts";
import { post } from "./post.ts";
import { isActive, type Run } from "./run.ts";
import { endSession } from "./session-life.ts";

export function escalate(
  run: Run,
  question: { reason: string; again?: Obligation },
  context: Context,
): Run {
  if (!isActive(run) || run.stage.kind === "escalated") return run;
  const { limits } = run.config;
  notify(run, { severity: "urgent", about: question.reason, round: "asked" }, context);
  return {
    ...run,
    stage: {
      kind: "escalated",
      escalation: {
        reason: question.reason,
        since: context.at,
        remindAt: context.at + limits.escalationReminderMs,
        deadline: context.at + limits.escalationTimeoutMs,
        again: question.again,
      },
    },
  };
}

/** A person answered: the failed effect is tried again, or the agent goes on with the answer. */
export function answered(run: Run, reply: { by: string; text: string }, context: Context): Run {
  if (run.stage.kind !== "escalated") return run;
  const { again } = run.stage.escalation;
  const fresh: Run = {
    ...run,
    crashes: [],
    counts: { ...run.counts, nudges: 0, infraRetries: 0 },
    stage: { kind: "working" },
  };
  if (again !== undefined) {
    context.output.effects.push(again);
    return { ...fresh, stage: stageOf(again) };
  }
  return post(fresh, { kind: "answer", text: answer(reply.by, reply.text) }, context);
}

/** Where a run stands while an effect that failed before is tried again. */
function stageOf(again: Obligation): Run["stage"] {
  switch (again.effect.kind) {
    case "claim-issue":
      return { kind: "claiming" };
    case "prepare-workspace":
      return { kind: "preparing" };
    case "publish-branch":
      return { kind: "publishing", head: again.effect.head };
    case "check-branch":
      return { kind: "checking", head: again.effect.head, attempt: 1, deadline: undefined };
    default:
      return { kind: "working" };
  }
}

export function escalationDue(run: Run, context: Context): Run {
  if (run.stage.kind !== "escalated") return run;
  const { escalation } = run.stage;
  if (escalation.deadline <= context.at) {
    return block(run, `no answer within the deadline to: ${escalation.reason}`, context);
  }
  if (escalation.remindAt === undefined || escalation.remindAt > context.at) return run;
  notify(run, { severity: "warning", about: escalation.reason, round: "reminder" }, context);
  return {
    ...run,
    stage: { kind: "escalated", escalation: { ...escalation, remindAt: undefined } },
  };
}

/** Gives up: diagnostic posted once, labels set, session ended, work saved and kept. */
export function block(run: Run, reason: string, context: Context): Run {
  if (!isActive(run)) return run;
  const done = finish(run, { kind: "blocked", reason }, context);
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:settle`,
    lane: aggregate,
    effect: {
      kind: "settle-issue",
      issue: run.issue.number,
      close: false,
      addLabels: [LABELS.blocked, LABELS.backlog],
      removeLabels: [LABELS.inProgress],
      comment: blockedDiagnostic({
        reason,
        phase: run.phase?.phase,
        pr: run.pr,
        branch: run.branch,
      }),
      pr: undefined,
    },
  });
  notify(run, { severity: "warning", about: `blocked: ${reason}`, round: "blocked" }, context);
  const next: Run = {
    ...done,
    stage: {
      kind: "blocking",
      reason,
      // A blocked run keeps its workspace: the next attempt, or a person, goes on there.
      clearing: { issueSettled: false, sessionGone: !isLive(run.session), workspaceGone: true },
    },
  };
  return isLive(next.session) ? endSession(next, "blocked", context) : clearAway(next, context);
}

function notify(
  run: Run,
  news: { severity: "warning" | "urgent"; about: string; round: string },
  context: Context,
): void {
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:notify:${news.round}:${context.at}`,
    lane: `notify:${run.project}`,
    effect: {
      kind: "notify",
      severity: news.severity,
      title: `#${run.issue.number} ${run.issue.title}`,
      body: news.about,
    },
  });
}
