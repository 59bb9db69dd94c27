// What schedules want done.
import type { ScheduledWork, When } from "./schedule.ts";

export type ScheduleEffect =
  /** → schedule-planned. The first instant after `after`, and how much memory is free. */
  | { kind: "plan-schedule"; name: string; when: When; jitterMs: number; after: number }
  /** → (nothing) What it starts tells when it ends: formula-ended. Once per key. */
  | { kind: "start-scheduled"; name: string; key: string; work: ScheduledWork };
