// Whether a session has begun to work on its prompt, and the message "Begin." to one that has not.
// Any word of its hooks about a turn proves that it has. The deacon only proposes; the run decides
// here, in its own step, and takes the message back when the session begins before it was typed.
import type { Context } from "../context.ts";
import { isLive, type Session } from "../session/session.ts";
import type { SpoolEvent } from "../session/spool.ts";
import { mapMessages, post } from "./post.ts";
import { isActive, isAttended, type Run } from "./run.ts";

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
