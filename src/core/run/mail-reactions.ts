// Letters in a run: they come to its agent as messages, and what becomes of those is told to the
// mailbox after every event, so that no way of reading or losing one can forget it.
import type { Context } from "../context.ts";
import type { MailEvent, RunEvent } from "../event.ts";
import { mailAggregate } from "../ids.ts";
import { DEACON } from "../mail/address.ts";
import { letterText, mailRefused } from "../words/messages.ts";
import type { SpoolEvent } from "../session/spool.ts";
import { isOpen, type Message } from "./message.ts";
import { mapMessages, post } from "./post.ts";
import { isActive, type Run } from "./run.ts";

type EventOf<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;
type SpoolOf<K extends SpoolEvent["kind"]> = Extract<SpoolEvent, { kind: K }>;

export function mailArrived(run: Run, { letter }: EventOf<"mail-arrived">, context: Context): Run {
  // A run that is ending reads nothing any more: the letter keeps waiting.
  if (!isActive(run)) return run;
  tellMail(run, { kind: "mail-handed", at: context.at, id: letter.id, run: run.id }, context);
  const { id, priority } = letter;
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
