// The next instant of a schedule: cron by croner in the zone that is written, `every` counted from
// 1970, so that a restart changes nothing; both with the schedule's own jitter.
import { Cron } from "croner";
import { jitterOf, nextOfEvery } from "../../core/schedule/jitter.ts";
import type { When } from "../../core/schedule/schedule.ts";

export type Planned = { next: number | undefined; problem: string | undefined };

export function nextInstant(wanted: {
  name: string;
  when: When;
  jitterMs: number;
  after: number;
}): Planned {
  const { when, after } = wanted;
  const jitterMs = jitterOf(wanted.name, wanted.jitterMs);
  // The jitter belongs to the instant: what lies between the two has not come yet.
  const from = after - jitterMs;
  if (when.kind === "every") {
    return { next: nextOfEvery(when.everyMs, from) + jitterMs, problem: undefined };
  }
  const cron = new Cron(when.pattern, { timezone: when.timeZone, paused: true });
  const next = cron.nextRun(new Date(from))?.getTime();
  return next === undefined
    ? { next, problem: `"${when.pattern}" never comes` }
    : { next: next + jitterMs, problem: undefined };
}
