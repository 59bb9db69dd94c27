// The mailbox's step: takes letters in, finds their recipients, and records what became of them. A
// letter to an agent goes through its run's messages; one that is not collected in time is a dead
// letter, shown to the operator.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event } from "../event.ts";
import type { MailEvent } from "./mail-event.ts";
import {
  gateAggregate,
  mailAggregate,
  projectAggregate,
  runAggregate,
  type ProjectName,
  type RunId,
} from "../ids.ts";
import { ADDRESS_HINT, addressOf, OPERATOR, reaches } from "./address.ts";
import * as say from "./voice.ts";
import { BODY_MAX, SUBJECT_MAX, type Letter, type NewLetter } from "./letter.ts";
import {
  bounded,
  change,
  findLetter,
  letterId,
  newMailbox,
  roomFor,
  type Mailbox,
} from "./mailbox.ts";

/** A letter that was not collected for this long is dead. */
const DEAD_AFTER_MS = 72 * 60 * 60_000;

type EventOf<K extends MailEvent["kind"]> = Extract<MailEvent, { kind: K }>;

export function stepMail(
  mailbox: Mailbox | undefined,
  event: Event,
  output: Output,
): Mailbox | undefined {
  const context = { at: event.at, output };
  if (event.kind === "mail-sent") {
    return sent(mailbox ?? newMailbox(event.project), event, context);
  }
  return mailbox === undefined ? undefined : known(mailbox, event, context);
}

function known(mailbox: Mailbox, event: Event, context: Context): Mailbox {
  switch (event.kind) {
    case "worker-started":
      return meet(mailbox, event, context);
    case "mail-handed":
      return change(mailbox, event.id, (letter) => handed(letter, event));
    case "mail-returned":
      return returned(mailbox, event, context);
    case "mail-read":
      return change(mailbox, event.id, (letter) =>
        letter.state.kind === "waiting" || letter.state.kind === "handed"
          ? { ...letter, state: { kind: "read", at: event.at } }
          : letter,
      );
    case "mail-acknowledged":
      return change(mailbox, event.id, (letter) =>
        letter.state.kind === "acknowledged"
          ? letter
          : { ...letter, state: { kind: "acknowledged", at: event.at, by: event.by } },
      );
    case "deadline-passed":
      return giveUp(mailbox, context);
    case "clock-jumped":
      return shift(mailbox, event.gapMs);
    default:
      return mailbox;
  }
}

function sent(mailbox: Mailbox, event: EventOf<"mail-sent">, context: Context): Mailbox {
  const { letter: written } = event;
  if (written.key !== undefined && mailbox.letters.some(({ key }) => key === written.key)) {
    return mailbox;
  }
  const problem = problemOf(mailbox, written, { own: isOwn(event) });
  if (problem !== undefined) return refuse(mailbox, { ...event, problem }, context);
  const letter = compose(mailbox, written, context);
  const next = bounded({
    ...mailbox,
    next: mailbox.next + 1,
    letters: [...mailbox.letters, letter],
  });
  send(mailbox.project, letter, context);
  return next;
}

/** Why a letter cannot be taken, in a sentence; undefined where it can. */
export function problemOf(
  mailbox: Mailbox,
  { to, replyTo }: NewLetter,
  { own }: { own: boolean },
): string | undefined {
  if (replyTo !== undefined && findLetter(mailbox, replyTo) === undefined) {
    return `there is no letter ${replyTo} to answer`;
  }
  if (to === undefined && replyTo === undefined) return `it has no recipient: ${ADDRESS_HINT}`;
  if (to !== undefined && addressOf(to) === undefined) {
    return `"${to}" is not an address: ${ADDRESS_HINT}`;
  }
  return roomFor(mailbox, { own }) > 0 ? undefined : FULL;
}

const FULL = "the mailbox is full; acknowledge some letters first";

/** Pawl itself writes (a gate, the vault, a patrol), not an agent or a person. */
const isOwn = ({ run, letter }: EventOf<"mail-sent">): boolean =>
  run === undefined && letter.by === undefined;

function compose(mailbox: Mailbox, written: NewLetter, context: Context): Letter {
  const id = letterId(mailbox);
  const answered = written.replyTo === undefined ? undefined : findLetter(mailbox, written.replyTo);
  const to = written.to ?? answered?.from ?? OPERATOR;
  const { from, by, subject, body, priority, key } = written;
  return {
    id,
    thread: answered?.thread ?? id,
    from,
    ...(by === undefined ? {} : { by }),
    to,
    subject: subject.slice(0, SUBJECT_MAX),
    body: body.slice(0, BODY_MAX),
    priority,
    at: context.at,
    ...(key === undefined ? {} : { key }),
    state: firstState(to, context),
  };
}

/** A gate takes what comes, at once. */
const firstState = (to: string, context: Context): Letter["state"] =>
  addressOf(to)?.kind === "gate"
    ? { kind: "acknowledged", at: context.at, by: to }
    : { kind: "waiting", until: untilOf(to, context) };

/** A person may take as long as they like: what they have not read is shown to them. */
const untilOf = (to: string, context: Context): number | undefined =>
  addressOf(to)?.kind === "operator" ? undefined : context.at + DEAD_AFTER_MS;

function send(project: ProjectName, letter: Letter, context: Context): void {
  const address = addressOf(letter.to);
  const kind = address?.kind;
  if (address?.kind === "gate") {
    const by = letter.by ?? letter.from;
    const event = {
      kind: "gate-told",
      at: context.at,
      by,
      via: "mail",
      met: true,
      text: letter.subject,
    } as const;
    context.output.tells.push({ to: gateAggregate(project, address.gate), event });
  }
  if (kind === "operator") {
    notify(
      project,
      { letter, title: `mail from ${letter.by ?? letter.from}: ${letter.subject}` },
      context,
    );
  }
  if (kind !== "identity" && kind !== "role") return;
  context.output.tells.push({
    to: projectAggregate(project),
    event: { kind: "mail-posted", at: context.at, letter },
  });
}

function notify(
  project: ProjectName,
  news: { letter: Letter; title: string },
  { output }: Context,
): void {
  const { letter, title } = news;
  const severity =
    letter.priority === "urgent" ? "urgent" : letter.priority === "high" ? "warning" : "info";
  const box = mailAggregate(project);
  output.effects.push({
    key: `${box}:notify:${letter.id}:${letter.state.kind}`,
    lane: `${box}:notify`,
    effect: { kind: "notify", severity, title, body: letter.body },
  });
}

/** An agent hears why its letter went nowhere; a person was told; Pawl's own goes to the operator. */
function refuse(
  mailbox: Mailbox,
  event: EventOf<"mail-sent"> & { problem: string },
  { at, output }: Context,
): Mailbox {
  const { run, letter, problem } = event;
  if (run !== undefined) {
    const { subject } = letter;
    output.tells.push({
      to: runAggregate(mailbox.project, run),
      event: { kind: "mail-refused", at, subject, problem },
    });
  }
  if (!isOwn(event)) return mailbox;
  const refused = (mailbox.refused ?? 0) + 1;
  const box = mailAggregate(mailbox.project);
  output.effects.push({
    key: `${box}:refused:${refused}`,
    lane: `${box}:notify`,
    effect: { kind: "notify", severity: "warning", ...say.unmailed(letter, problem) },
  });
  return { ...mailbox, refused };
}

/**
 * There is a run whose agent is the recipient of waiting letters. They are its own at once: several
 * runs may be named in the same commit, before the first one says that it has the letter.
 */
function meet(mailbox: Mailbox, event: EventOf<"worker-started">, context: Context): Mailbox {
  let next = mailbox;
  for (const letter of mailbox.letters) {
    if (letter.state.kind !== "waiting" || !reaches(letter.to, event)) continue;
    context.output.tells.push({
      to: runAggregate(mailbox.project, event.run),
      event: { kind: "mail-arrived", at: context.at, letter },
    });
    next = change(next, letter.id, (one) => handed(one, event));
  }
  return next;
}

const handed = (letter: Letter, { run }: { run: RunId }): Letter =>
  letter.state.kind === "waiting" ? { ...letter, state: { kind: "handed", run } } : letter;

/** Its run ended before its agent read it: it waits for the next recipient. */
function returned(mailbox: Mailbox, event: EventOf<"mail-returned">, context: Context): Mailbox {
  const until = context.at + DEAD_AFTER_MS;
  const next = change(mailbox, event.id, (letter) =>
    letter.state.kind === "handed" && letter.state.run === event.run
      ? { ...letter, state: { kind: "waiting", until } }
      : letter,
  );
  const letter = next === mailbox ? undefined : findLetter(next, event.id);
  // Another one of its role may be there already.
  if (letter !== undefined) send(mailbox.project, letter, context);
  return next;
}

function giveUp(mailbox: Mailbox, context: Context): Mailbox {
  let next = mailbox;
  for (const { id, state, to } of mailbox.letters) {
    if (state.kind !== "waiting" || state.until === undefined || state.until > context.at) continue;
    const why = `no agent with the address ${to} collected it in ${DEAD_AFTER_MS / 3_600_000} h`;
    next = change(next, id, (letter) => {
      const dead: Letter = { ...letter, state: { kind: "dead", at: context.at, why } };
      notify(mailbox.project, { letter: dead, title: `dead letter to ${to}: ${why}` }, context);
      return dead;
    });
  }
  return next;
}

function shift(mailbox: Mailbox, gapMs: number): Mailbox {
  const letters = mailbox.letters.map((letter): Letter => {
    const { state } = letter;
    if (state.kind !== "waiting" || state.until === undefined) return letter;
    return { ...letter, state: { ...state, until: state.until + gapMs } };
  });
  return letters.every((letter, at) => letter === mailbox.letters[at])
    ? mailbox
    : { ...mailbox, letters };
}
