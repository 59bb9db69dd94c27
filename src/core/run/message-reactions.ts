// What becomes of messages to an agent: those that cannot be typed, the first one, and letters.
//
// A message that cannot be typed into the agent's terminal: the run shows what is in the way from the
// first failed attempt on; if that lasts, a person is asked. The agent is not blamed for it: it has
// not been told yet. Once the message is accepted, the question closes by itself.
import type { Context } from "../context.ts";
import type { MailEvent } from "../mail/mail-event.ts";
import type { RunEvent } from "./run-event.ts";
import { commentText, letterText, mailRefused, messageHeld } from "../words/messages.ts";
import { escalate } from "./escalate.ts";
import { isOpen, mapMessages, post, type Message } from "./message.ts";
import { isActive, isAtWork, isAttended, warn, type Run } from "./run.ts";
import { isLive, type Session } from "../session/session.ts";
import type { SpoolEvent } from "../session/spool.ts";
import { mailAggregate } from "../ids.ts";
import { DEACON } from "../mail/address.ts";

/** A person who is typing needs less than this; what lasts longer needs a person. */
export const HELD_MS = 60_000;

export function messageNotTyped(
  run: Run,
  { id, reason }: Extract<RunEvent, { kind: "message-held" }>,
  context: Context,
): Run {
  const message = run.messages.find((one) => one.id === id && one.status === "queued");
  if (message === undefined) return run;
  const { at } = context;
  const since = message.held?.since ?? at;
  // The next life of a session that is gone finds the message in its prompt.
  const isAsked = isLive(run.session) && isAtWork(run) && !isAttended(run);
  const isLong = at - since >= HELD_MS && isAsked;
  // Counted from here again, so that an answer is not followed by the same question at once.
  const noted = mapMessages(run, (one) =>
    one.id === id ? { ...one, held: { since: isLong ? at : since, reason } } : one,
  );
  const told = message.held?.reason === reason ? noted : warn(noted, reason, context);
  if (!isLong) return told;
  const question = { reason: messageHeld(message, reason), message: id };
  return escalate(told, question, context);
}

/**
 * Asked after every event: the message that a person was asked about has reached the agent, or its
 * session is gone. The next one finds the message in its prompt.
 */
export function closeHeld(run: Run): Run {
  const { stage } = run;
  if (stage.kind !== "escalated" || stage.escalation.message === undefined) return run;
  const { message: id } = stage.escalation;
  const isWaiting =
    isLive(run.session) && run.messages.some((one) => one.id === id && isUntaken(one));
  return isWaiting ? run : { ...run, stage: { kind: "working" } };
}

/** Not typed yet, or given up while something was in the way. */
const isUntaken = ({ status, held }: Message): boolean =>
  status === "queued" || (status === "delivered" && held !== undefined);

/** A message to this session is under way and was not accepted yet: the agent cannot know of it. */
export const isUntold = ({ messages, session }: Run): boolean =>
  messages.some(({ status, epoch }) => status === "queued" && epoch === session?.epoch);

// Whether a session has begun to work on its prompt, and the message "Begin." to one that has not.
// Any word of its hooks about a turn proves that it has. The deacon only proposes; the run decides
// here, in its own step, and takes the message back when the session begins before it was typed.

/** Progress this soon after the start is the start itself. */
const START_MS = 15_000;

/** These say that its hooks, its screen or its daemon work, not that it has a turn. */
const SAYS_NOTHING: ReadonlySet<SpoolEvent["kind"]> = new Set<SpoolEvent["kind"]>([
  "started",
  "ping",
  "statusline",
  "context",
  "usage",
  "idle",
  "warning",
]);

export const hasBegun = (session: Session): boolean =>
  session.begun === true || session.spoke || session.lastProgress - session.startedAt > START_MS;

/** Its hooks said something: if that is about a turn, "Begin." is no longer wanted. */
export function noteBegun(run: Run, kind: SpoolEvent["kind"]): Run {
  const { session } = run;
  if (!isLive(session) || session.begun === true || SAYS_NOTHING.has(kind)) return run;
  const begun: Run = { ...run, session: { ...session, begun: true } };
  return mapMessages(begun, (message) =>
    message.begin === true && message.status === "queued"
      ? { ...message, status: "void" }
      : message,
  );
}

/** `epoch`: only that session is meant, and only if it has not begun. A person may always nudge. */
export function nudged(
  run: Run,
  { text, epoch }: { text: string; epoch?: number },
  context: Context,
): Run {
  const { session } = run;
  // A person who is attached says it themselves.
  if (!isActive(run) || isAttended(run)) return run;
  if (epoch === undefined) return post(run, { kind: "nudge", text }, context);
  if (session?.status !== "live" || session.epoch !== epoch || hasBegun(session)) return run;
  return post(run, { kind: "nudge", text, begin: true }, context);
}

// Comments of people on lines: when they were read is kept, because the person waits for it.

/** A person who has the keyboard comments, too: it waits in the inbox like any message. */
export const commented = (
  run: Run,
  { comment }: Extract<RunEvent, { kind: "line-commented" }>,
  context: Context,
): Run =>
  isActive(run)
    ? post(run, { kind: "comment", text: commentText(comment), comment }, context)
    : run;

/** Whichever way it became known: the agent said so, or a life with it in its prompt went on. */
export function noteRead(before: Run, run: Run, { at }: Context): Run {
  if (before.messages === run.messages) return run;
  const isNew = ({ id, comment, status, readAt }: Message): boolean =>
    comment !== undefined &&
    readAt === undefined &&
    status === "acknowledged" &&
    before.messages.some((one) => one.id === id && one.status !== "acknowledged");
  if (!run.messages.some(isNew)) return run;
  return mapMessages(run, (message) => (isNew(message) ? { ...message, readAt: at } : message));
}

// Letters in a run: they come to its agent as messages, and what becomes of those is told to the
// mailbox after every event, so that no way of reading or losing one can forget it.

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;
type SpoolOf<K extends SpoolEvent["kind"]> = Extract<SpoolEvent, { kind: K }>;

export function mailArrived(run: Run, { letter }: EventOf<"mail-arrived">, context: Context): Run {
  const { id, priority } = letter;
  // A run that is ending reads nothing any more: the letter waits again.
  const kind = isActive(run) ? "mail-handed" : "mail-returned";
  tellMail(run, { kind, at: context.at, id, run: run.id }, context);
  if (!isActive(run)) return run;
  const urgent = priority === "urgent";
  const news = {
    kind: "mail",
    text: letterText(letter),
    letter: { id, priority },
    urgent,
  } as const;
  return post(run, news, context);
}

export const mailRefusedHere = (
  run: Run,
  { subject, problem }: EventOf<"mail-refused">,
  context: Context,
): Run =>
  isActive(run) ? post(run, { kind: "notice", text: mailRefused(subject, problem) }, context) : run;

/** Its agent sends a letter. */
export function mailWritten(run: Run, said: SpoolOf<"mail">, context: Context): Run {
  const { kind: _kind, ...written } = said;
  tellMail(
    run,
    {
      kind: "mail-sent",
      at: context.at,
      project: run.project,
      run: run.id,
      letter: { from: run.identity, ...written },
    },
    context,
  );
  return run;
}

/** Its hooks saw no daemon for a while: the patrol is told. */
export function pinged(run: Run, silentS: number, context: Context): Run {
  const subject = `WITNESS_PING: no daemon for ${silentS} s`;
  const said = { kind: "mail", to: DEACON, subject, body: "", priority: "low" } as const;
  return mailWritten(run, said, context);
}

/** Only letters to this agent: it cannot acknowledge for others. */
export const mailAcked = (run: Run, { id }: SpoolOf<"mail-ack">): Run =>
  run.messages.some(({ letter }) => letter?.id === id)
    ? mapMessages(run, (message) =>
        message.letter?.id === id ? { ...message, status: "acknowledged" } : message,
      )
    : run;

/** What this event has made of the letters among the messages. */
export function followMail(before: Run, run: Run, context: Context): Run {
  const isEnding = isActive(before) && !isActive(run);
  if (before.messages === run.messages && !isEnding) return run;
  for (const message of run.messages) {
    const { letter } = message;
    if (letter === undefined) continue;
    const was = before.messages.find(({ id }) => id === message.id)?.status;
    const news = was === message.status ? undefined : newsOf(run, message, context);
    if (news !== undefined) tellMail(run, news, context);
    else if (isEnding && isOpen(message)) {
      const { id } = letter;
      tellMail(run, { kind: "mail-returned", at: context.at, id, run: run.id }, context);
    }
  }
  if (!isEnding) return run;
  return mapMessages(run, (message) =>
    message.letter !== undefined && isOpen(message) ? { ...message, status: "void" } : message,
  );
}

function newsOf(run: Run, { letter, status }: Message, { at }: Context): MailEvent | undefined {
  if (letter === undefined) return undefined;
  const { id } = letter;
  if (status === "acknowledged") return { kind: "mail-acknowledged", at, id, by: run.identity };
  return status === "unconfirmed" ? { kind: "mail-read", at, id, by: run.identity } : undefined;
}

function tellMail(run: Run, event: MailEvent, { output }: Context): void {
  output.tells.push({ to: mailAggregate(run.project), event });
}
