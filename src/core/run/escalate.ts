// Asking a person, being answered, and giving up. An escalation keeps the work and, where it
// lives, the session; a person is reminded, and after the deadline the issue is blocked.
import type { Context } from "../context.ts";
import type { Effect, Obligation } from "../effect.ts";
import { type Commit, projectAggregate, runAggregate } from "../ids.ts";
import { LABELS } from "../issue.ts";
import { answer, blockedDiagnostic } from "../words/messages.ts";
import type { Question } from "../session/evidence.ts";
import { acknowledge, askOnForge, notAnswered, type Reply } from "./ask-on-forge.ts";
import { callBack } from "./call-back.ts";
import { startCheck } from "./check-branch.ts";
import { choiceOf } from "./choice.ts";
import { finish, finishPr, owesNothing } from "./clear.ts";
import { forgeLane } from "./lanes.ts";
import { post } from "./post.ts";
import { withEvidence } from "./progress.ts";
import { isActive, isAttended, type Escalation, type Run, type Stage } from "./run.ts";
import { tellAsker } from "./tell-asker.ts";
import { askedOn, shownRef, titleOf } from "./work.ts";

/** Nothing lands and no session starts while a person is asked; one question at a time. */
export function escalate(
  run: Run,
  question: {
    reason: string;
    again?: Obligation;
    unreviewed?: Commit;
    question?: Question;
    budget?: true;
    stays?: true;
    asked?: number;
    message?: string;
  },
  context: Context,
): Run {
  if (!isActive(run) || run.stage.kind === "escalated") return run;
  const { limits } = run.config;
  notify(run, { severity: "urgent", about: question.reason, round: "asked" }, context);
  askOnForge(run, question, context);
  return {
    ...callBack(run, "escalated", context),
    respawnAt: undefined,
    stage: {
      kind: "escalated",
      escalation: {
        reason: question.reason,
        since: context.at,
        remindAt: context.at + limits.escalationReminderMs,
        deadline: context.at + limits.escalationTimeoutMs,
        again: question.again,
        unreviewed: question.unreviewed,
        question: question.question,
        ...(question.budget === undefined ? {} : { budget: question.budget }),
        ...(question.stays === undefined ? {} : { stays: question.stays }),
        ...(question.asked === undefined ? {} : { asked: question.asked }),
        ...(question.message === undefined ? {} : { message: question.message }),
      },
    },
  };
}

/** A person answered: the failed effect is tried again, or the agent continues with the answer. */
export function answered(run: Run, reply: Reply, context: Context): Run {
  if (run.stage.kind !== "escalated") return run;
  const { again, question } = run.stage.escalation;
  const text = question === undefined ? reply.text : choiceOf(question, reply.text);
  // An answer to something else must not let the agent continue as if it were answered.
  if (text === undefined) return notAnswered(run, reply, context);
  acknowledge(run, reply, context);
  tellPersonIsThere(run, context);
  const fresh: Run = {
    // A dialog that was not what this answers is still open, and is asked about next.
    ...(question === undefined ? raised(run) : withEvidence(raised(run), { question: undefined })),
    stopped: undefined,
    crashes: [],
    counts: { ...run.counts, nudges: 0, infraRetries: 0, stuck: 0, handOffs: 0 },
    stage: { kind: "working" },
  };
  if (again !== undefined) return tryAgain(fresh, again, context);
  return post(fresh, { kind: "answer", text: answer(reply.by, text) }, context);
}

/** Where people want to be asked after a limit: any word of theirs shows that they are there. */
function tellPersonIsThere({ config, project }: Run, { at, output }: Context): void {
  if (config.agent.limit?.ask !== true) return;
  output.tells.push({ to: projectAggregate(project), event: { kind: "limit-answered", at } });
}

/** One more budget, counted from what is spent by now: otherwise the next step would ask again. */
function raised(run: Run): Run {
  const { stage, spending } = run;
  if (stage.kind !== "escalated" || stage.escalation.budget !== true) return run;
  return spending === undefined ? run : { ...run, spending: { ...spending, from: spending.total } };
}

/** Asks for the effect that failed once more, and stands where the run stood then. */
function tryAgain(run: Run, again: Obligation, context: Context): Run {
  const { effect } = again;
  if (effect.kind === "check-branch") {
    return startCheck(run, { head: effect.head, attempt: 1 }, context);
  }
  context.output.effects.push(again);
  if (effect.kind === "fetch-branch") return { ...run, fetching: effect.ordinal };
  return { ...run, stage: stageOf(effect) };
}

function stageOf(effect: Effect): Stage {
  switch (effect.kind) {
    case "claim-issue":
      return { kind: "claiming" };
    case "prepare-workspace":
      return { kind: "preparing" };
    case "publish-branch":
      return { kind: "publishing", head: effect.head };
    default:
      return { kind: "working" };
  }
}

export function escalationDue(run: Run, context: Context): Run {
  if (run.stage.kind !== "escalated") return run;
  const { escalation } = run.stage;
  const { escalationReminderMs } = run.config.limits;
  if (escalation.deadline <= context.at) {
    // Blocking ends the session, and a person is sitting at it: looked at again later.
    if (isAttended(run)) return asked(run, { deadline: context.at + escalationReminderMs });
    return block(run, `no answer within the deadline to: ${escalation.reason}`, context);
  }
  if (escalation.remindAt === undefined || escalation.remindAt > context.at) return run;
  notify(run, { severity: "warning", about: escalation.reason, round: "reminder" }, context);
  return asked(run, { remindAt: undefined });
}

function asked(run: Run, change: Partial<Escalation>): Run {
  if (run.stage.kind !== "escalated") return run;
  const escalation = { ...run.stage.escalation, ...change };
  return { ...run, stage: { kind: "escalated", escalation } };
}

/** Gives up: diagnostic posted once, labels set, session ended, work saved and kept. */
export function block(run: Run, reason: string, context: Context): Run {
  if (!isActive(run)) return run;
  const done = finish(run, { kind: "blocked", reason }, context);
  const isTask = run.work.kind === "task";
  if (run.work.kind === "task") {
    tellAsker(done, { kind: "failed", reason }, context);
    finishPr(done, undefined, context);
  } else settleBlocked(run, { issue: run.work.number, reason }, context);
  notify(run, { severity: "warning", about: `blocked: ${reason}`, round: "blocked" }, context);
  return {
    ...done,
    stage: {
      kind: "blocking",
      reason,
      // A blocked issue's workspace stays: the next attempt, or a person, continues there.
      clearing: { issueSettled: owesNothing(done), sessionGone: false, workspaceGone: !isTask },
    },
  };
}

function settleBlocked(
  run: Run,
  { issue, reason }: { issue: number; reason: string },
  context: Context,
): void {
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:settle`,
    lane: forgeLane(run),
    effect: {
      kind: "settle-issue",
      issue,
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
}

export function notify(
  run: Run,
  news: { severity: "warning" | "urgent"; about: string; round: string },
  context: Context,
): void {
  const aggregate = runAggregate(run.project, run.id);
  const issue = askedOn(run);
  context.output.effects.push({
    key: `${aggregate}:notify:${news.round}:${context.at}`,
    lane: `notify:${run.project}`,
    effect: {
      kind: "notify",
      severity: news.severity,
      title: `${shownRef(run)} ${titleOf(run)}`,
      body: news.about,
      ...(issue === undefined ? {} : { issue }),
    },
  });
}
