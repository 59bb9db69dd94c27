// Asking operators where they are: on the issue. What they say after the question answers it, and
// is acknowledged there once. Times of the forge and of this machine are never compared: comments
// are told apart by their ids, which every forge counts up.
import { answerMisfit, answerTaken, questionOnForge } from "../words/answers.ts";
import type { Context } from "../context.ts";
import type { RunEvent } from "../event.ts";
import { runAggregate } from "../ids.ts";
import type { Question } from "../session/evidence.ts";
import type { Run } from "./run.ts";
import { askedOn, refOf } from "./work.ts";

export type Reply = { by: string; text: string; comment?: { id: string; on: number } };

export function askOnForge(
  run: Run,
  asked: { reason: string; question?: Question },
  context: Context,
): void {
  const operators = run.config.forge?.operators ?? [];
  const on = askedOn(run);
  if (operators.length === 0 || on === undefined) return;
  const { reason, question } = asked;
  const choices = question?.choices ?? [];
  const body = questionOnForge({ reason, choices, operators, ref: refOf(run) });
  say(run, { key: `ask:${context.at}`, on, body, since: context.at }, context);
}

export function questionPosted(
  run: Run,
  { since, comment }: Extract<RunEvent, { kind: "question-posted" }>,
): Run {
  if (run.stage.kind !== "escalated" || run.stage.escalation.since !== since) return run;
  return {
    ...run,
    stage: { ...run.stage, escalation: { ...run.stage.escalation, posted: comment } },
  };
}

export function acknowledge(run: Run, { by, comment }: Reply, context: Context): void {
  if (comment === undefined) return;
  say(run, { key: `answered:${comment.id}`, on: comment.on, body: answerTaken(by) }, context);
}

/** Said to be none of the choices, once; the question stays. */
export function notAnswered(run: Run, { by, comment }: Reply, context: Context): Run {
  if (run.stage.kind !== "escalated" || comment === undefined) return run;
  const { escalation } = run.stage;
  const body = answerMisfit(by, escalation.question?.choices ?? []);
  say(run, { key: `misfit:${comment.id}`, on: comment.on, body }, context);
  return { ...run, stage: { ...run.stage, escalation: { ...escalation, read: comment.id } } };
}

function say(
  run: Run,
  { key, ...words }: { key: string; on: number; body: string; since?: number },
  context: Context,
): void {
  const aggregate = runAggregate(run.project, run.id);
  context.output.effects.push({
    key: `${aggregate}:${key}`,
    // A forge that is down must hold up nothing else of the run.
    lane: `${aggregate}:words`,
    effect: { kind: "say-on-issue", ...words },
  });
}
