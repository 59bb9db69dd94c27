// A message that cannot be typed into the agent's terminal. The run shows what is in the way from the
// first failed attempt on; if that lasts, a person is asked. The agent is not blamed for it: it has
// not been told yet. Once the message is accepted, the question closes by itself.
import type { Context } from "../context.ts";
import type { RunEvent } from "../event.ts";
import { messageHeld } from "../words/messages.ts";
import { escalate } from "./escalate.ts";
import type { Message } from "./message.ts";
import { mapMessages } from "./post.ts";
import { isAtWork, isAttended, type Run } from "./run.ts";
import { warn } from "./warn.ts";

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
  const isLong = at - since >= HELD_MS && isAtWork(run) && !isAttended(run);
  // Counted from here again, so that an answer is not followed by the same question at once.
  const noted = mapMessages(run, (one) =>
    one.id === id ? { ...one, held: { since: isLong ? at : since, reason } } : one,
  );
  const told = message.held?.reason === reason ? noted : warn(noted, reason, context);
  if (!isLong) return told;
  const question = { reason: messageHeld(message, reason), message: id };
  return escalate(told, question, context);
}

/** Asked after every event: the message that a person was asked about has reached the agent. */
export function closeHeld(run: Run): Run {
  const { stage } = run;
  if (stage.kind !== "escalated" || stage.escalation.message === undefined) return run;
  const { message: id } = stage.escalation;
  const isWaiting = run.messages.some((one) => one.id === id && isUntaken(one));
  return isWaiting ? run : { ...run, stage: { kind: "working" } };
}

/** Not typed yet, or given up while something was in the way. */
const isUntaken = ({ status, held }: Message): boolean =>
  status === "queued" || (status === "delivered" && held !== undefined);

/** A message to this session is under way and was not accepted yet: the agent cannot know of it. */
export const isUntold = ({ messages, session }: Run): boolean =>
  messages.some(({ status, epoch }) => status === "queued" && epoch === session?.epoch);
