// The queue as a picture needs it: what stands on what, what is under test since when, who conflicts
// with whom, what was proven, and how long things usually take.
import { median } from "../stats.ts";
import type { Queue, QueueRecord } from "./queue.ts";

export type QueuePicture = {
  /** From the target upwards. */
  stack: { entry: number; verdict: "green" | "red" | null; testingSince: number | undefined }[];
  building: number[];
  landing: number[];
  conflicts: { entries: [number, number]; files: string[] }[];
  /** The newest first. */
  proven: Proven[];
  /** The middle one of what is remembered; undefined where nothing is. */
  typicalTestMs: number | undefined;
  typicalQueueMs: number | undefined;
};

export type Proven = {
  at: number;
  entries: number[];
  result: "passed" | "failed" | "infra";
  flaky: boolean;
  remembered: boolean;
  detail: string | undefined;
  tookMs: number | undefined;
};

const PROVEN_SHOWN = 20;

export function queuePicture(queue: Queue): QueuePicture {
  const proven = queue.records.flatMap(provenBy);
  const took = proven.flatMap(({ tookMs, remembered }) =>
    tookMs === undefined || remembered ? [] : [tookMs],
  );
  const queued = queue.past
    .filter(({ end }) => end.kind === "merged")
    .map(({ leftAt, requestedAt }) => leftAt - requestedAt);
  return {
    stack: queue.stack.map(({ entry, verdict, test }) => ({
      entry,
      verdict: verdict?.kind ?? null,
      testingSince: test?.at,
    })),
    building: queue.building?.entries ?? [],
    landing: queue.landing?.entries ?? [],
    conflicts: conflictsAmong(queue),
    proven: proven.slice(-PROVEN_SHOWN).toReversed(),
    typicalTestMs: median(took),
    typicalQueueMs: median(queued),
  };
}

function provenBy(fact: QueueRecord): Proven[] {
  if (fact.kind !== "checked") return [];
  const { at, entries, result, flaky, remembered, detail, tookMs } = fact;
  return [{ at, entries, result, flaky, remembered, detail, tookMs }];
}

/** Only between entries that are still queued: with the target, an entry goes back. */
function conflictsAmong({ conflicts, entries }: Queue): QueuePicture["conflicts"] {
  const byHead = new Map(entries.map(({ head, id }) => [head, id]));
  return conflicts.flatMap(({ a, b, files }) => {
    const [one, other] = [byHead.get(a), byHead.get(b)];
    return one === undefined || other === undefined ? [] : [{ entries: [one, other], files }];
  });
}
