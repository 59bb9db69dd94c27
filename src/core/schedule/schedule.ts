// When a project does something by itself: each schedule has an instant at which it is due next,
// and at most one of it is under way (its lease). The instants are computed outside and told.
//
//   unplanned ──> planned(nextAt) ──> due (memory and next instant are being looked at) ──┐
//                     ^                                                                   │
//                     └── fired (lease) | delayed (memory) | skipped (still under way) <──┘
import type { ProjectName } from "../ids.ts";

export type When =
  | { kind: "cron"; pattern: string; timeZone: string }
  | { kind: "every"; everyMs: number };

/** A role's work is the formula `run-{role}`. */
export type ScheduledWork = { kind: "role"; role: string } | { kind: "formula"; formula: string };

export type Schedule = {
  name: string;
  when: When;
  work: ScheduledWork;
  enabled: boolean;
  /** It comes up to so much later than written, always by the same amount. */
  jitterMs: number;
  /** One that takes longer is given up on, so that the next can come. */
  leaseMs: number;
  /** With less free memory than this nothing is started. */
  memoryMb: number;
};

export type ScheduleResult =
  | "started"
  | "finished"
  | "failed"
  | "skipped"
  | "delayed"
  | "timed out";

export type ScheduleEntry = {
  schedule: Schedule;
  nextAt: number | undefined;
  /** The instant that is being looked at; a crash repeats the look. */
  dueAt: number | undefined;
  lease: { key: string; since: number; until: number } | undefined;
  last: { at: number; result: ScheduleResult; note: string } | undefined;
  count: number;
  /** Its last run failed, and you were notified. */
  failing?: boolean;
  /** `nextAt` is when to look again, because no look has succeeded yet: nothing is due then. */
  isUnplanned?: boolean;
  /** Why no instant could be computed. */
  problem: string | undefined;
};

export type Schedules = {
  kind: "schedule";
  project: ProjectName;
  entries: ScheduleEntry[];
  /** Names the next look. */
  looks: number;
};

/** Postponed for this long while memory is short. */
export const DELAY_MS = 5 * 60_000;

export const formulaOf = (work: ScheduledWork): string =>
  work.kind === "role" ? `run-${work.role}` : work.formula;

/** The run of the formula that a schedule starts; it starts over each time. */
export const formulaRunOf = (name: string): string => `schedule-${name}`;

export const newSchedules = (project: ProjectName): Schedules => ({
  kind: "schedule",
  project,
  entries: [],
  looks: 0,
});

export function scheduleDeadline({ entries }: Schedules): number | undefined {
  const times = entries.flatMap(({ schedule, nextAt, dueAt, lease }) => [
    ...(schedule.enabled && nextAt !== undefined && dueAt === undefined ? [nextAt] : []),
    ...(lease === undefined ? [] : [lease.until]),
  ]);
  return times.length === 0 ? undefined : Math.min(...times);
}
