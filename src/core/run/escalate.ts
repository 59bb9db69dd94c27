// Asking a person, and being answered. An escalation keeps the work and, where it lives, the session;
// a person is reminded, and after the deadline the issue is blocked. What is asked: what Pawl cannot
// decide, what the agent asks, and whether a refused host may be reached.
import type { Context } from "../context.ts";
import type { Effect, Obligation } from "../effect.ts";
import { projectAggregate, type Commit } from "../ids.ts";
import { askedOnForge } from "../operators.ts";
import { answer, question as questionText } from "../words/messages.ts";
import type { Question } from "../session/evidence.ts";
import { notify, recallBranch, sayOnIssue } from "./tell.ts";
import { block } from "./clear.ts";
import { startCheck } from "./obligations.ts";
import { post } from "./message.ts";
import { withEvidence } from "./session-life.ts";
import {
  isActive,
  isAtWork,
  isAttended,
  askedOn,
  refOf,
  warn,
  type Run,
  type RefusedHost,
} from "./run.ts";
import type { Escalation, Stage } from "./stage.ts";
import { answerMisfit, answerTaken, questionOnForge } from "../words/answers.ts";
import type { RunEvent } from "./run-event.ts";
import { isLive } from "../session/session.ts";
import type { SpoolEvent } from "../session/spool.ts";
import { hostRefused as refusedText } from "../words/network.ts";
import { canBeAllowed, hostAnswered, isUnanswered, withHost } from "./refused-hosts.ts";

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
    host?: string;
  },
  context: Context,
): Run {
  if (!isActive(run) || run.stage.kind === "escalated") return run;
  const { limits } = run.config;
  notify(run, { severity: "urgent", about: question.reason, round: "asked" }, context);
  askOnForge(run, question, context);
  return {
    ...recallBranch(run, "escalated", context),
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
        ...(question.host === undefined ? {} : { host: question.host }),
      },
    },
  };
}

/** A person answered: the failed effect is tried again, or the agent continues with the answer. */
export function answered(run: Run, reply: Reply, context: Context): Run {
  if (run.stage.kind !== "escalated") return run;
  const { again, question, host } = run.stage.escalation;
  const text = choiceOf(question ?? { choices: [] }, reply.text) ?? anyText(run, reply.text);
  // An answer to something else must not let the agent continue as if it were answered.
  if (text === undefined) return notAnswered(run, reply, context);
  acknowledge(run, reply, context);
  tellPersonIsThere(run, context);
  const open = run.session?.evidence.question;
  const isAnswered = (one: Question): boolean => question !== undefined && isSame(one, question);
  const meant = open !== undefined && isAnswered(open) ? open : question;
  // A dialog goes with its session, and a later one may use its id again.
  const about = meant === undefined || dialogOf(run) === undefined ? "none" : meant;
  const fresh: Run = {
    ...withoutQuestion(raised(run), isAnswered),
    stopped: undefined,
    crashes: [],
    counts: { ...run.counts, nudges: 0, infraRetries: 0, stuck: 0, handOffs: 0 },
    stage: { kind: "working" },
  };
  if (again !== undefined) return tryAgain(fresh, again);
  if (host === undefined) {
    const isRetry = reply.isRetry === true;
    const words = isRetry ? text : answer(reply.by, text, meant?.text);
    const resumes = isRetry ? { resumes: true as const } : {};
    return post(fresh, { kind: "answer", text: words, question: about, ...resumes }, context);
  }
  const decided = hostAnswered(fresh, { host, text });
  return post(decided.run, { kind: "answer", text: answer(reply.by, decided.told) }, context);
}

/** The same words again, as of a failure that came back, are the same question. */
const isSame = (one: Question, other: Question): boolean =>
  one.id === other.id ||
  (one.text === other.text && one.choices.join("\n") === other.choices.join("\n"));

/** A dialog goes with its session: then its choices are no longer the only answers. */
const anyText = (run: Run, text: string): string | undefined =>
  dialogOf(run) === undefined ? text : undefined;

/** The agent's own question, while there is a terminal where it is open. */
export const dialogOf = ({ stage, session }: Run): Question | undefined =>
  stage.kind === "escalated" && isLive(session) && session.status !== "ending"
    ? stage.escalation.question
    : undefined;

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

/** Stands where the run stood when the effect failed, so that it is wanted again. */
function tryAgain(run: Run, { effect }: Obligation): Run {
  if (effect.kind === "check-branch") return startCheck(run, { head: effect.head, attempt: 1 });
  return { ...run, stage: stageOf(run, effect) };
}

function stageOf({ phase }: Run, effect: Effect): Stage {
  switch (effect.kind) {
    case "claim-issue":
      return { kind: "claiming" };
    case "prepare-workspace":
      return { kind: "preparing" };
    case "fetch-branch":
      return { kind: "fetching", ordinal: effect.ordinal };
    case "publish-branch":
      return { kind: "publishing", head: effect.head, ordinal: phase?.ordinal ?? 0 };
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
    if (isAttended(run))
      return withEscalation(run, { deadline: context.at + escalationReminderMs });
    return block(run, `no answer within the deadline to: ${escalation.reason}`, context);
  }
  if (escalation.remindAt === undefined || escalation.remindAt > context.at) return run;
  notify(run, { severity: "warning", about: escalation.reason, round: "reminder" }, context);
  return withEscalation(run, { remindAt: undefined });
}

function withEscalation(run: Run, change: Partial<Escalation>): Run {
  if (run.stage.kind !== "escalated") return run;
  const escalation = { ...run.stage.escalation, ...change };
  return { ...run, stage: { ...run.stage, escalation } };
}

// Asking operators where they are: on the issue. What they say after the question answers it, and
// is acknowledged there once. Times of the forge and of this machine are never compared: comments
// are told apart by their ids, which every forge counts up.

export type Reply = {
  by: string;
  text: string;
  comment?: { id: string; on: number };
  /** Not in the person's words: an agent must not take it for what it asked. */
  isRetry?: boolean;
};

export function askOnForge(
  run: Run,
  asked: { reason: string; question?: Question },
  context: Context,
): void {
  const operators = askedOnForge(run.config.forge);
  const on = askedOn(run);
  if (operators.length === 0 || on === undefined) return;
  const { reason, question } = asked;
  const choices = question?.choices ?? [];
  const body = questionOnForge({ reason, choices, operators, ref: refOf(run), pr: run.pr });
  sayOnIssue(run, { name: `ask:${context.at}`, on, body, since: context.at }, context);
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
  sayOnIssue(
    run,
    { name: `answered:${comment.id}`, on: comment.on, body: answerTaken(by) },
    context,
  );
}

/** Said to be none of the choices, once; the question stays. */
export function notAnswered(run: Run, { by, comment }: Reply, context: Context): Run {
  if (run.stage.kind !== "escalated" || comment === undefined) return run;
  const { escalation } = run.stage;
  const body = answerMisfit(by, escalation.question?.choices ?? []);
  sayOnIssue(run, { name: `misfit:${comment.id}`, on: comment.on, body }, context);
  return { ...run, stage: { ...run.stage, escalation: { ...escalation, read: comment.id } } };
}

// Which of a question's choices an answer means: its number, its text, or the beginning of one.

/** The choice; where the question offers none, any answer fits. Undefined: it fits none. */
export function choiceOf(question: Pick<Question, "choices">, answer: string): string | undefined {
  const { choices } = question;
  const said = answer.trim().toLowerCase();
  if (choices.length === 0) return answer;
  const numbered = /^\d+$/.test(said) ? choices[Number(said) - 1] : undefined;
  const exact = choices.find((choice) => choice.toLowerCase() === said);
  if (exact !== undefined || numbered !== undefined) return exact ?? numbered;
  const beginning = choices.filter(
    (choice) => said !== "" && choice.toLowerCase().startsWith(said),
  );
  return beginning.length === 1 ? beginning[0] : undefined;
}

// A question of the agent's own (a permission dialog, a choice): put before a person as soon as the
// agent has the ball, with its choices, and closed only by an answer that fits it.

export const asked = (run: Run, question: Question, context: Context): Run =>
  raiseQuestion(withEvidence(run, { question, stopped: undefined, idle: undefined }), context);

/** Asked after every event: a question that came at a bad time is not forgotten. */
export function raiseQuestion(run: Run, context: Context): Run {
  const question = isLive(run.session) ? run.session.evidence.question : undefined;
  if (question === undefined || !isAtWork(run)) return run;
  return escalate(run, { reason: questionText(question), question }, context);
}

/** Another dialog, which was not answered, is still open, and is asked about next. */
function withoutQuestion(run: Run, isAnswered: (open: Question) => boolean): Run {
  const open = run.session?.evidence.question;
  if (open === undefined || !isAnswered(open)) return run;
  return withEvidence(run, { question: undefined });
}

/** A person answered it at the terminal: the agent itself says so. It need not be its newest one. */
export function answeredThere(run: Run, id: string): Run {
  const closed = withoutQuestion(run, (open) => open.id === id);
  const { stage } = closed;
  if (stage.kind !== "escalated" || stage.escalation.question?.id !== id) return closed;
  return { ...closed, stage: { kind: "working" } };
}

// An agent asks a person: with `PHASE:escalate` or with `help` in its spool. A person may be asked
// something else already; then both questions are open, as one, and nothing that was to be tried
// again goes on before the agent has its answer.

/** An agent that asks in a loop fills no inbox: further questions are only added to the text. */
const ANNOUNCED_MAX = 10;
const REASON_MAX = 4_000;
const BETWEEN = "; still open: ";

type Asked = { reason: string; stays?: true };

export function agentAsks(run: Run, asked: Asked, context: Context): Run {
  if (run.stage.kind !== "escalated") return escalate(run, asked, context);
  const { escalation } = run.stage;
  const stays = asked.stays === true || escalation.stays === true ? { stays: true as const } : {};
  if (escalation.reason.split(BETWEEN).includes(asked.reason)) {
    return { ...run, stage: { kind: "escalated", escalation: { ...escalation, ...stays } } };
  }
  const reason = `${asked.reason}${BETWEEN}${escalation.reason}`.slice(0, REASON_MAX);
  const count = (escalation.asked ?? 1) + 1;
  const { host, budget } = escalation;
  const both = {
    reason,
    ...stays,
    asked: count,
    // One answer is for both questions: what it decides besides, it still decides.
    ...(host === undefined ? {} : { host }),
    ...(budget === undefined ? {} : { budget }),
  };
  if (count > ANNOUNCED_MAX) {
    return { ...run, stage: { kind: "escalated", escalation: { ...escalation, ...both } } };
  }
  return escalate({ ...run, stage: { kind: "working" } }, both, context);
}

// Questions about hosts that the session's proxy refused.

/** A program that looks for a way out by trying names must not fill the journal. */
const HOSTS_MAX = 50;

type Refused = Extract<SpoolEvent, { kind: "refused-host" }>;

export function hostRefused(run: Run, { host, why }: Refused, context: Context): Run {
  const known = run.hosts ?? [];
  // After an answer it is refused again only until the proxy has read the answer.
  if (known.length === HOSTS_MAX || known.some((one) => one.host === host)) return run;
  const status = canBeAllowed(run, host) ? "open" : "never";
  const hosts: RefusedHost[] = [...known, { host, why, at: context.at, status }];
  const noted = warn({ ...run, hosts }, `the network proxy refused ${host}: ${why}`, context);
  return raiseHost(noted, context);
}

/** Asked after every event: a host that was refused at a bad time is not forgotten. */
export function raiseHost(run: Run, context: Context): Run {
  const next = run.hosts?.find(isUnanswered);
  if (next === undefined || !isAtWork(run)) return run;
  const { host, why, status } = next;
  const asked = withHost(run, host, {
    status: "asked",
    isAskedAgain: status === "asked" || undefined,
  });
  return escalate(asked, { reason: refusedText(host, why), host }, context);
}
