// What keeps an entry back for a while: the user's checkout in the way, or machinery that failed.
import type { Event } from "../event.ts";
import type { Entry, Queue } from "./queue.ts";

const TROUBLE_RETRY_MS = 30_000;
const TROUBLES_MAX = 3;

/** The machinery failed, not the entry: again in a while, then a person is asked by stopping. */
export function trouble(queue: Queue, message: string, at: number): Queue {
  const entry = entryOfTest(queue);
  if (entry === undefined) return { ...queue, test: undefined };
  if (entry.troubles + 1 >= TROUBLES_MAX) {
    return {
      ...hinder(queue, { obstacle: message, at }),
      paused: { by: "pawl", why: message, at },
    };
  }
  return hinder(queue, { obstacle: message, at: at + TROUBLE_RETRY_MS });
}

export function hinder(queue: Queue, hindrance: { obstacle: string; at: number }): Queue {
  return {
    ...queue,
    test: undefined,
    entries: queue.entries.map((entry) =>
      entry.id === queue.test?.entry
        ? {
            ...entry,
            obstacle: hindrance.obstacle,
            notBefore: hindrance.at,
            troubles: entry.troubles + 1,
          }
        : entry,
    ),
  };
}

export const unhindered = (entry: Entry): Entry => ({
  ...entry,
  notBefore: undefined,
  obstacle: undefined,
  troubles: 0,
});

export const dueAgain = (entry: Entry, at: number): Entry =>
  entry.notBefore !== undefined && entry.notBefore <= at
    ? { ...entry, notBefore: undefined }
    : entry;

export const later = (entry: Entry, gapMs: number): Entry =>
  entry.notBefore === undefined ? entry : { ...entry, notBefore: entry.notBefore + gapMs };

export function effectFailed(
  queue: Queue,
  event: Extract<Event, { kind: "effect-failed" }>,
): Queue {
  const { test } = queue;
  const { failed } = event;
  const hint = failed.hint === undefined ? "" : ` (${failed.hint})`;
  const ours = test !== undefined && failed.obligation.key.endsWith(`:${test.ref}`);
  return ours ? trouble(queue, `${failed.message}${hint}`, event.at) : queue;
}

export const entryOfTest = (queue: Queue): Entry | undefined =>
  queue.entries.find((entry) => entry.id === queue.test?.entry);

export function queueDeadline(queue: Queue): number | undefined {
  if (queue.paused !== undefined) return undefined;
  const times = queue.entries.flatMap((entry) =>
    entry.notBefore === undefined ? [] : [entry.notBefore],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
