// How busy a run was in the last half hour: its events, minute by minute. Only what is new since the
// last look is read, because a page looks many times a minute.
import { runAggregate } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoreReader } from "../../ports/store.ts";

export const ACTIVITY_MINUTES = 30;
const MINUTE_MS = 60_000;
/** Of a run that is looked at for the first time. */
const EVENTS_MAX = 300;

/** `seq`: the last event that was counted. */
type Counted = { seq: number; minutes: Map<number, number> };
type Events = Pick<StoreReader, "events">;

const counts = new WeakMap<Events, Map<string, Counted>>();
/** Runs that are over are forgotten with the others, now and then. */
const RUNS_MAX = 2000;

export function activityOf(store: Events, now: number): (run: Run) => Promise<number[]> {
  const known = counts.get(store) ?? new Map<string, Counted>();
  counts.set(store, known);
  if (known.size > RUNS_MAX) known.clear();
  return async ({ project, id }) => {
    const to = runAggregate(project, id);
    const before = known.get(to);
    const events = await store.events({
      to,
      ...(before === undefined ? {} : { afterSeq: before.seq }),
      limit: EVENTS_MAX,
    });
    const minutes = before?.minutes ?? new Map<number, number>();
    for (const { event } of events) {
      const minute = Math.floor(event.at / MINUTE_MS);
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    }
    const first = Math.floor(now / MINUTE_MS) - ACTIVITY_MINUTES + 1;
    for (const minute of minutes.keys()) if (minute < first) minutes.delete(minute);
    known.set(to, { seq: events.at(-1)?.seq ?? before?.seq ?? 0, minutes });
    return Array.from({ length: ACTIVITY_MINUTES }, (_, at) => minutes.get(first + at) ?? 0);
  };
}
