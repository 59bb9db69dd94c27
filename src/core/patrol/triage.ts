// A letter that the rules cannot decide may be judged by a model: a call for help, or a letter with
// an unknown subject. Only where it is configured, at most so many times a day, one answer per
// letter, and checked by code. Without a usable answer in time the operator gets the letter as if
// no model had been asked. The decision and its reason are kept.
//
//   letter ──> open (a task of supervisor-triage) ──answer──> forwarded | replied | looked | dismissed
//                 └── failed, refused too often, or no answer in time ──> forwarded
import type { Context } from "../context.ts";
import type { Event } from "../event.ts";
import { patrolAggregate, projectAggregate, runAggregate } from "../ids.ts";
import { addressOf } from "../mail/address.ts";
import { lookOutside, writeTo } from "./letters.ts";
import { noted, type Patrol } from "./patrol.ts";
import type { InboxFact } from "./patrol-event.ts";
import { readTriage, type TriageAnswer, type TriageKind } from "./triage-answer.ts";
import * as say from "../words/patrol.ts";

export type TriageRules = { perDay: number; model?: string };

export type OpenTriage = { key: string; letter: InboxFact; help: boolean; until: number };

/** Evidence: who wrote what, what was decided about it, and why. */
export type TriageNote = {
  at: number;
  letter: string;
  from: string;
  subject: string;
  decision: TriageKind | "no answer";
  reason: string;
};

export type Triage = { day: string; asked: number; open: OpenTriage[]; log: TriageNote[] };

const ANSWER_MAX_MS = 30 * 60_000;
const LIFE_MAX_MS = 10 * 60_000;
const OPEN_MAX = 3;
const LOG_MAX = 50;

const EMPTY: Triage = { day: "", asked: 0, open: [], log: [] };

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Undefined where no model may be asked: the letter is urgent, over budget, or not configured. */
export function askModel(
  patrol: Patrol,
  asked: { letter: InboxFact; help: boolean; rules: TriageRules | undefined },
  context: Context,
): Patrol | undefined {
  const { letter, help, rules } = asked;
  const before = patrol.triage ?? EMPTY;
  const day = dayOf(context.at);
  const spent = before.day === day ? before.asked : 0;
  const isUrgent = letter.priority === "urgent" || letter.priority === "high";
  if (rules === undefined || isUrgent || spent >= rules.perDay) return undefined;
  if (before.open.length >= OPEN_MAX) return undefined;
  const key = `${patrolAggregate(patrol.project, patrol.name)}:triage:${letter.id}`;
  request(patrol, { key, letter, help, rules }, context);
  const open = [...before.open, { key, letter, help, until: context.at + ANSWER_MAX_MS }];
  return { ...patrol, triage: { ...before, day, asked: spent + 1, open } };
}

function request(
  { project, name }: Patrol,
  asked: { key: string; letter: InboxFact; help: boolean; rules: TriageRules },
  { at, output }: Context,
): void {
  const { key, letter, help, rules } = asked;
  const task = {
    by: patrolAggregate(project, name),
    key,
    role: "supervisor",
    name: "triage",
    title: say.triageTitle(letter),
    brief: say.triageBrief(letter, choices({ letter, help })),
    output: "result",
    at: { kind: "target" },
    limits: { lifeMs: LIFE_MAX_MS },
    ...(rules.model === undefined ? {} : { model: rules.model }),
  } as const;
  const event = { kind: "task-requested", at, task } as const;
  output.tells.push({ to: projectAggregate(project), event });
}

/** A call for help is never dismissed, and only a sender who can read an answer gets one. */
export function choices({ letter, help }: Pick<OpenTriage, "letter" | "help">): TriageKind[] {
  const isAgent = addressOf(letter.from)?.kind === "identity";
  return [
    "forward",
    ...(isAgent ? (["reply"] as const) : []),
    "look",
    ...(help ? [] : (["dismiss"] as const)),
  ];
}

export function triageAnswered(
  patrol: Patrol,
  event: Extract<Event, { kind: "task-finished" }>,
  context: Context,
): Patrol {
  const { key, run, outcome, at } = event;
  const open = patrol.triage?.open.find((one) => one.key === key);
  if (open === undefined) return patrol;
  if (outcome.kind === "failed") return giveUp(patrol, { open, why: outcome.reason }, context);
  const text = outcome.kind === "result" ? outcome.text : "";
  const answer = readTriage(text, choices(open));
  const to = run === undefined ? undefined : runAggregate(patrol.project, run);
  if (answer.kind === "problem") {
    const { problem } = answer;
    if (to === undefined) return giveUp(patrol, { open, why: problem }, context);
    context.output.tells.push({ to, event: { kind: "task-refused", at, key, problem } });
    return patrol;
  }
  if (to !== undefined) {
    context.output.tells.push({ to, event: { kind: "task-accepted", at, key } });
  }
  return decided(patrol, { open, answer }, context);
}

function decided(
  patrol: Patrol,
  { open, answer }: { open: OpenTriage; answer: TriageAnswer },
  context: Context,
): Patrol {
  const { letter } = open;
  const { decision, reason } = answer;
  const next = closed(patrol, { open, decision, reason }, context);
  if (decision === "forward") return forward(next, { open, said: reason }, context);
  if (decision === "look") return lookOutside(next, context);
  if (decision === "reply") {
    const words = { subject: `Re: ${letter.subject}`, body: answer.text, key: `${open.key}:reply` };
    writeTo(letter.from, { patrol, letter: { ...words, priority: "normal" } }, context);
  }
  return next;
}

/** There was no usable answer: the operator gets the letter, as if no model had been asked. */
function giveUp(
  patrol: Patrol,
  { open, why }: { open: OpenTriage; why: string },
  context: Context,
): Patrol {
  const next = closed(patrol, { open, decision: "no answer", reason: why }, context);
  return forward(next, { open, said: undefined }, context);
}

function forward(
  patrol: Patrol,
  { open, said }: { open: OpenTriage; said: string | undefined },
  context: Context,
): Patrol {
  const { letter, help } = open;
  const { subject } = letter;
  const body = say.forwarded(letter, said);
  const priority = help ? "high" : letter.priority;
  const key = `${patrolAggregate(patrol.project, patrol.name)}:forward:${letter.id}`;
  writeTo("operator", { patrol, letter: { subject, body, priority, key } }, context);
  return patrol;
}

function closed(
  patrol: Patrol,
  { open, decision, reason }: { open: OpenTriage } & Pick<TriageNote, "decision" | "reason">,
  { at }: Context,
): Patrol {
  const before = patrol.triage ?? EMPTY;
  const { id: letter, from, subject } = open.letter;
  const note = { at, letter, from, subject, decision, reason };
  const triage = {
    ...before,
    open: before.open.filter((one) => one !== open),
    log: [...before.log, note].slice(-LOG_MAX),
  };
  const text = say.triaged({ letter, subject, decision, reason });
  return noted({ ...patrol, triage }, "inbox-check", { at, text });
}

/** Who takes too long is not waited for. */
export function triageDue(patrol: Patrol, context: Context): Patrol {
  const { at, output } = context;
  let next = patrol;
  for (const open of patrol.triage?.open ?? []) {
    if (open.until > at) continue;
    const why = say.triageLate(ANSWER_MAX_MS);
    const event = { kind: "task-withdrawn", at, key: open.key, why } as const;
    output.tells.push({ to: projectAggregate(patrol.project), event });
    next = giveUp(next, { open, why }, context);
  }
  return next;
}

export function triageDeadline({ triage }: Patrol): number | undefined {
  const times = (triage?.open ?? []).map(({ until }) => until);
  return times.length === 0 ? undefined : Math.min(...times);
}

export function triageShifted(patrol: Patrol, gapMs: number): Patrol {
  const { triage } = patrol;
  if (triage === undefined || triage.open.length === 0) return patrol;
  const open = triage.open.map((one) => ({ ...one, until: one.until + gapMs }));
  return { ...patrol, triage: { ...triage, open } };
}
