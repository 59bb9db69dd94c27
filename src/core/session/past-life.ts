// A life that is over, as the registry still shows it by its id: its successor names it as its
// predecessor.
import type { Session } from "./session.ts";

export type PastLife = Pick<
  Session,
  | "id"
  | "epoch"
  | "startedAt"
  | "lastSeen"
  | "lastProgress"
  | "process"
  | "pane"
  | "verdict"
  | "predecessor"
  | "agent"
>;

/** An agent that crashes more often than this has a person's attention for long. */
const LIVES_MAX = 20;

export function withPastLife(
  lives: readonly PastLife[],
  session: Session | undefined,
): PastLife[] | undefined {
  if (session === undefined) return lives.length === 0 ? undefined : [...lives];
  const { id, epoch, startedAt, lastSeen, lastProgress, process, pane, verdict, predecessor } =
    session;
  const past = {
    id,
    epoch,
    startedAt,
    lastSeen,
    lastProgress,
    process,
    pane,
    verdict,
    predecessor,
    ...(session.agent === undefined ? {} : { agent: session.agent }),
  };
  return [...lives, past].slice(-LIVES_MAX);
}
