// The times the queue waits for, and what happens to them when they come, or when the clock jumps.
import type { Entry, Queue } from "./queue.ts";

export function queueDeadline(queue: Queue): number | undefined {
  const watching = queue.stop?.kind === "red-target";
  const isStill = queue.paused !== undefined || (queue.stop !== undefined && !watching);
  const times = [
    // Agents wait for the proof of the target, also where the queue stands still.
    queue.proofAsked?.notBefore,
    ...(isStill ? [] : queue.entries.map((entry) => entry.notBefore)),
    ...(isStill ? [] : [queue.trouble?.until, queue.surveyAt]),
  ].filter((time) => time !== undefined && time > 0);
  return times.length === 0 ? undefined : Math.min(...(times as number[]));
}

/** What is due is marked as past, so that no deadline is reported twice. */
export function deadlinePassed(queue: Queue, at: number): Queue {
  const due = (time: number | undefined): boolean => time !== undefined && time > 0 && time <= at;
  const { trouble, surveyAt, proofAsked } = queue;
  const entries = queue.entries.some((entry) => due(entry.notBefore))
    ? queue.entries.map((entry) => (due(entry.notBefore) ? freed(entry) : entry))
    : queue.entries;
  const next: Queue = {
    ...queue,
    entries,
    trouble: trouble !== undefined && due(trouble.until) ? { ...trouble, until: 0 } : trouble,
    surveyAt: due(surveyAt) ? 0 : surveyAt,
    ...(proofAsked !== undefined && due(proofAsked.notBefore)
      ? { proofAsked: { ...proofAsked, notBefore: 0 } }
      : {}),
  };
  const same = entries === queue.entries && next.trouble === trouble && next.surveyAt === surveyAt;
  return same && next.proofAsked === proofAsked ? queue : next;
}

const freed = (entry: Entry): Entry => ({ ...entry, notBefore: undefined });

/** A person started Pawl: perhaps because the checkout is not in the way any more. */
export function triedAnew(queue: Queue): Queue {
  const { trouble } = queue;
  const isHeld = (entry: Entry): boolean => entry.holds > 0 && entry.notBefore !== undefined;
  const inTheWay = trouble !== undefined && trouble.count === 0 && trouble.until > 0;
  if (!inTheWay && !queue.entries.some(isHeld)) return queue;
  return {
    ...queue,
    entries: queue.entries.map((entry) => (isHeld(entry) ? freed(entry) : entry)),
    trouble: inTheWay ? { ...trouble, until: 0 } : trouble,
  };
}

/** A laptop slept: every deadline moves by the gap. */
export function clockJumped(queue: Queue, gapMs: number): Queue {
  const later = (time: number): number => (time > 0 ? time + gapMs : time);
  const { trouble, surveyAt, proofAsked, serverSaid } = queue;
  return {
    ...queue,
    ...(serverSaid?.redUntil === undefined
      ? {}
      : { serverSaid: { ...serverSaid, redUntil: later(serverSaid.redUntil) } }),
    ...(proofAsked === undefined
      ? {}
      : { proofAsked: { ...proofAsked, notBefore: later(proofAsked.notBefore) } }),
    entries: queue.entries.map((entry) =>
      entry.notBefore === undefined ? entry : { ...entry, notBefore: later(entry.notBefore) },
    ),
    trouble: trouble === undefined ? undefined : { ...trouble, until: later(trouble.until) },
    surveyAt: surveyAt === undefined ? undefined : later(surveyAt),
  };
}
