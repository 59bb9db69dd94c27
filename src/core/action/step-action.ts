// The step of an action: begun once, worked on by a formula or an agent, and settled on its issue.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event, FailedEffect } from "../event.ts";
import type { AskerEvent } from "../task.ts";
import type { FormulaEvent } from "../formula/formula-event.ts";
import { actionAggregate, formulaAggregate, projectAggregate, runAggregate } from "../ids.ts";
import { LABELS } from "../issue.ts";
import { ACTION_LIMITS } from "../task.ts";
import { mayBeginAgain, type Action, type ActionEvent, type ActionOutcome } from "./action.ts";
import { blockedReport, doneReport } from "../words/action.ts";

type EventOf<K extends ActionEvent["kind"]> = Extract<ActionEvent, { kind: K }>;

export function stepAction(
  action: Action | undefined,
  event: Event,
  output: Output,
): Action | undefined {
  const context = { at: event.at, output };
  if (event.kind === "action-wanted") return wanted(action, event, context);
  if (action === undefined) return undefined;
  switch (event.kind) {
    case "action-begun":
      return begun(action, event, context);
    case "action-lost":
      return action.stage.kind === "beginning"
        ? end(action, { kind: "lost", reason: event.why }, event.at)
        : action;
    case "action-unwanted":
      return unwanted(action, event, context);
    case "task-finished":
      return answered(action, event, context);
    case "formula-ended":
      return formulaEnded(action, event, context);
    case "issue-settled":
      return action.stage.kind === "settling"
        ? end(action, action.stage.outcome, event.at)
        : action;
    case "effect-failed":
      return effectFailed(action, event.failed, context);
    default:
      return action;
  }
}

/** One that has ended begins again where its issue is ready again: a person wants it so. */
function wanted(
  before: Action | undefined,
  { project, issue, title }: EventOf<"action-wanted">,
  { at, output }: Context,
): Action {
  if (before !== undefined && !mayBeginAgain(before, at)) return before;
  const attempt = (before?.attempt ?? 0) + 1;
  const aggregate = actionAggregate(project, issue);
  const claim = `${aggregate}#${attempt}`;
  output.effects.push({
    key: `${claim}:begin`,
    lane: aggregate,
    effect: { kind: "begin-action", issue, claim },
  });
  return { kind: "action", project, issue, title, attempt, stage: { kind: "beginning" } };
}

function begun(action: Action, { work }: EventOf<"action-begun">, context: Context): Action {
  if (action.stage.kind !== "beginning") return action;
  if (work.kind === "unclear")
    return settle(action, { kind: "blocked", reason: work.problem }, context);
  const by = actionAggregate(action.project, action.issue);
  const key = `${by}#${action.attempt}`;
  const { at, output } = context;
  if (work.kind === "formula") {
    const id = `action-${action.issue}.${action.attempt}`;
    const { formula, vars, source, context: told } = work;
    const about = { project: action.project, id, key, formula, vars, source, asker: by };
    output.tells.push({
      to: formulaAggregate(action.project, id),
      event: {
        kind: "formula-requested",
        at,
        ...about,
        by: `#${action.issue}`,
        ...(told === undefined ? {} : { context: told }),
      },
    });
    return { ...action, stage: { kind: "formula", id } };
  }
  const { brief, model } = work;
  const { title } = action;
  const name = String(action.issue);
  output.tells.push({
    to: projectAggregate(action.project),
    event: {
      kind: "task-requested",
      at,
      task: {
        by,
        key,
        role: "action",
        name,
        title,
        issue: action.issue,
        brief,
        output: "either",
        at: { kind: "target" },
        limits: work.limits ?? ACTION_LIMITS,
        takesPlace: true,
        ...(model === undefined ? {} : { model }),
      },
    },
  });
  return { ...action, stage: { kind: "task", key } };
}

function answered(action: Action, event: AskerEvent, context: Context): Action {
  const { stage } = action;
  const isMine = stage.kind === "task" && stage.key === event.key;
  const { outcome, run, key } = event;
  const tell = (answer: { problem?: string }): void => {
    if (run === undefined) return;
    const to = runAggregate(action.project, run);
    const { at } = context;
    const { problem } = answer;
    context.output.tells.push({
      to,
      event:
        problem === undefined
          ? { kind: "task-accepted", at, key }
          : { kind: "task-refused", at, key, problem },
    });
  };
  switch (outcome.kind) {
    case "nothing":
      // Without a result it would be unknown whether the operation was done.
      tell(isMine ? { problem: "say in the result file what you did, and the result" } : {});
      return action;
    case "result":
      tell({});
      return isMine ? settle(action, { kind: "done", report: outcome.text }, context) : action;
    case "landed":
      return isMine
        ? settle(
            action,
            { kind: "done", report: outcome.text ?? `Landed as ${outcome.commit}.` },
            context,
          )
        : action;
    case "failed":
      return isMine ? settle(action, { kind: "blocked", reason: outcome.reason }, context) : action;
  }
}

function formulaEnded(
  action: Action,
  { formula, outcome }: Extract<FormulaEvent, { kind: "formula-ended" }>,
  context: Context,
): Action {
  const { stage } = action;
  if (stage.kind !== "formula" || stage.id !== formula) return action;
  if (outcome.kind === "done") {
    const report = `The formula ran: \`pawl formula status ${formula}\` shows its steps.`;
    return settle(action, { kind: "done", report }, context);
  }
  const reason = outcome.reason ?? `the formula was ${outcome.kind}`;
  return settle(action, { kind: "blocked", reason }, context);
}

function unwanted(action: Action, { why }: EventOf<"action-unwanted">, context: Context): Action {
  const { stage, project, issue, attempt } = action;
  const { at, output } = context;
  if (stage.kind === "settling" || stage.kind === "ended") return action;
  if (stage.kind === "task") {
    const event = { kind: "task-withdrawn", at, key: stage.key, why } as const;
    output.tells.push({ to: projectAggregate(project), event });
  }
  if (stage.kind === "formula") {
    const event = { kind: "formula-stopped", at, by: `a person: ${why}` } as const;
    output.tells.push({ to: formulaAggregate(project, stage.id), event });
  }
  // Opened again, the issue would count as taken by its claim. In the lane of that claim, which may
  // still be under way.
  const aggregate = actionAggregate(project, issue);
  output.effects.push({
    key: `${aggregate}#${attempt}:settle`,
    lane: aggregate,
    effect: {
      kind: "settle-issue",
      issue,
      close: false,
      addLabels: [],
      removeLabels: [LABELS.inProgress],
      comment: undefined,
      pr: undefined,
    },
  });
  return end(action, { kind: "closed", reason: why }, at);
}

/** The issue gets what came of it, once; what failed waits there for a person. */
function settle(action: Action, outcome: ActionOutcome, { output }: Context): Action {
  const aggregate = actionAggregate(action.project, action.issue);
  const done = outcome.kind === "done";
  output.effects.push({
    key: `${aggregate}#${action.attempt}:settle`,
    lane: aggregate,
    effect: {
      kind: "settle-issue",
      issue: action.issue,
      close: done,
      addLabels: done ? [] : [LABELS.blocked],
      removeLabels: [LABELS.inProgress],
      comment: outcome.kind === "done" ? doneReport(outcome.report) : blockedReport(outcome.reason),
      pr: undefined,
    },
  });
  return { ...action, stage: { kind: "settling", outcome } };
}

function effectFailed(action: Action, failed: FailedEffect, context: Context): Action {
  const { effect } = failed.obligation;
  const { stage } = action;
  const aggregate = actionAggregate(action.project, action.issue);
  if (effect.kind !== "begin-action" && effect.kind !== "settle-issue") return action;
  if (stage.kind !== "beginning" && stage.kind !== "settling") return action;
  context.output.effects.push({
    key: `${aggregate}#${action.attempt}:failed`,
    lane: `${aggregate}:notify`,
    effect: {
      kind: "notify",
      severity: "warning",
      title: `#${action.issue} ${action.title}`,
      body: `${failed.message}${failed.hint === undefined ? "" : `\nhint: ${failed.hint}`}`,
      issue: action.issue,
    },
  });
  const outcome: ActionOutcome =
    stage.kind === "settling" ? stage.outcome : { kind: "lost", reason: failed.message };
  return end(action, outcome, context.at);
}

const end = (action: Action, outcome: ActionOutcome, at: number): Action => ({
  ...action,
  stage: { kind: "ended", outcome, at },
});
