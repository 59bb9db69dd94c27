// A target whose gate is known to pass: where most tests of the core begin.
import type { Event } from "../../src/core/event.ts";

export const PROVEN: Event = { kind: "target-proven", at: 0 };

/** The same events, with the target proven before the first one that needs it. */
export const onGreenTarget = (events: Event[]): Event[] =>
  events.flatMap((event): Event[] =>
    event.kind === "project-configured" ? [PROVEN, event] : [event],
  );
