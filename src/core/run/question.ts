// A question of the agent's own (a permission dialog, a choice): put before a person as soon as the
// agent has the ball, with its choices, and closed only by an answer that fits it.
import type { Context } from "../context.ts";
import { question as questionText } from "../words/messages.ts";
import type { Question } from "../session/evidence.ts";
import { isLive } from "../session/session.ts";
import { escalate } from "./escalate.ts";
import { withEvidence } from "./progress.ts";
import { isAtWork, type Run } from "./run.ts";

export const asked = (run: Run, question: Question, context: Context): Run =>
  raiseQuestion(withEvidence(run, { question, stopped: undefined, idle: undefined }), context);

/** Asked after every event: a question that came at a bad time is not forgotten. */
export function raiseQuestion(run: Run, context: Context): Run {
  const question = isLive(run.session) ? run.session.evidence.question : undefined;
  if (question === undefined || !isAtWork(run)) return run;
  return escalate(run, { reason: questionText(question), question }, context);
}

/** A person answered it at the terminal: the agent itself says so. */
export function answeredThere(run: Run, id: string): Run {
  if (run.session?.evidence.question?.id !== id) return run;
  const closed = withEvidence(run, { question: undefined });
  const { stage } = closed;
  if (stage.kind !== "escalated" || stage.escalation.question?.id !== id) return closed;
  return { ...closed, stage: { kind: "working" } };
}
