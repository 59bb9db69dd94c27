// The schedules' step: a due schedule is looked at once (free memory, the next instant), then
// started, postponed or skipped. Times that passed while no daemon ran are made up for once, not
// many times.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { scheduleAggregate } from "../ids.ts";
import {
  formulaRunOf,
  newSchedules,
  DELAY_MS,
  type Schedule,
  type ScheduleEntry,
  type ScheduleResult,
  type Schedules,
} from "./schedule.ts";
import type { ScheduleEvent } from "./schedule-event.ts";
import { scheduleFailed } from "../words/formula.ts";

type EventOf<K extends ScheduleEvent["kind"]> = Extract<ScheduleEvent, { kind: K }>;

export function stepSchedule(
  schedules: Schedules | undefined,
  event: Event,
  output: Output,
): Schedules | undefined {
  const context = { at: event.at, output };
  if (event.kind === "schedules-configured") {
    return configured(schedules ?? newSchedules(event.project), event.schedules, context);
  }
  return schedules === undefined ? undefined : known(schedules, event, context);
}

function known(schedules: Schedules, event: Event, context: Context): Schedules {
  switch (event.kind) {
    case "deadline-passed":
      return due(schedules, context);
    case "schedule-planned":
      return planned(schedules, event, context);
    case "formula-ended":
      return ended(schedules, event, context);
    case "schedule-triggered":
      return triggered(schedules, event, context);
    case "effect-failed":
      return failed(schedules, event.failed, context);
    case "clock-jumped":
      return shifted(schedules, event.gapMs);
    default:
      return schedules;
  }
}

/** An unchanged schedule keeps its instant; a new or changed one is planned. */
function configured(schedules: Schedules, wanted: Schedule[], context: Context): Schedules {
  const same = (entry: ScheduleEntry, one: Schedule): boolean =>
    JSON.stringify(entry.schedule) === JSON.stringify(one);
  const { entries } = schedules;
  if (
    entries.length === wanted.length &&
    wanted.every((one) => entries.some((entry) => same(entry, one)))
  ) {
    return schedules;
  }
  let next: Schedules = {
    ...schedules,
    entries: wanted.map((schedule) => {
      const before = entries.find((entry) => entry.schedule.name === schedule.name);
      if (before !== undefined && same(before, schedule)) return before;
      return { ...emptyEntry(schedule), ...kept(before) };
    }),
  };
  for (const entry of next.entries) {
    const isPlanned = entries.some((before) => same(before, entry.schedule));
    if (!isPlanned && entry.schedule.enabled) next = look(next, entry.schedule.name, context);
  }
  return next;
}

const emptyEntry = (schedule: Schedule): ScheduleEntry => ({
  schedule,
  nextAt: undefined,
  dueAt: undefined,
  lease: undefined,
  last: undefined,
  count: 0,
  problem: undefined,
});

/** A change of its hours is no reason to forget what is under way. */
const kept = (before: ScheduleEntry | undefined): Partial<ScheduleEntry> =>
  before === undefined
    ? {}
    : {
        lease: before.lease,
        last: before.last,
        count: before.count,
        ...(before.failing === undefined ? {} : { failing: before.failing }),
      };

/** Asks for the next instant, and for what is free. */
function look(schedules: Schedules, name: string, { at, output }: Context): Schedules {
  const entry = schedules.entries.find(({ schedule }) => schedule.name === name);
  if (entry === undefined) return schedules;
  const aggregate = scheduleAggregate(schedules.project);
  const number = schedules.looks + 1;
  const { when, jitterMs } = entry.schedule;
  output.effects.push({
    key: `${aggregate}:plan:${name}:${number}`,
    lane: `${aggregate}:${name}`,
    effect: { kind: "plan-schedule", name, when, jitterMs, after: at },
  });
  return { ...schedules, looks: number };
}

function due(schedules: Schedules, context: Context): Schedules {
  let next = expired(schedules, context);
  for (const { schedule, nextAt, dueAt, isUnplanned = false } of schedules.entries) {
    const isDue = schedule.enabled && dueAt === undefined && nextAt !== undefined;
    if (!isDue || nextAt > context.at) continue;
    next = look(
      change(next, schedule.name, (entry) =>
        isUnplanned ? { ...entry, nextAt: undefined } : { ...entry, dueAt: nextAt },
      ),
      schedule.name,
      context,
    );
  }
  return next;
}

/** What took longer than its lease is given up on: the next one may come. */
function expired(schedules: Schedules, context: Context): Schedules {
  let next = schedules;
  for (const { schedule, lease } of schedules.entries) {
    if (lease === undefined || lease.until > context.at) continue;
    const note = `no sign of it for ${schedule.leaseMs / 60_000} min`;
    next = lost(next, { name: schedule.name, result: "timed out", note }, context);
  }
  return next;
}

/** What runs slept as well; the instants at which schedules are due are times of the day, and stay. */
function shifted(schedules: Schedules, gapMs: number): Schedules {
  if (schedules.entries.every(({ lease }) => lease === undefined)) return schedules;
  const entries = schedules.entries.map((entry) => {
    const { lease } = entry;
    return lease === undefined
      ? entry
      : { ...entry, lease: { ...lease, until: lease.until + gapMs } };
  });
  return { ...schedules, entries };
}

function planned(schedules: Schedules, event: EventOf<"schedule-planned">, context: Context) {
  const entry = schedules.entries.find(({ schedule }) => schedule.name === event.name);
  if (entry === undefined) return schedules;
  const placed: ScheduleEntry = {
    ...entry,
    nextAt: event.next,
    dueAt: undefined,
    isUnplanned: false,
    problem: event.problem,
  };
  const next = entry.dueAt === undefined ? placed : decide(placed, event, { schedules, context });
  return change(schedules, event.name, () => next);
}

/** Due: started, unless one is under way or memory is short. */
function decide(
  entry: ScheduleEntry,
  { freeMb }: EventOf<"schedule-planned">,
  { schedules, context }: { schedules: Schedules; context: Context },
): ScheduleEntry {
  const { at } = context;
  const { memoryMb } = entry.schedule;
  if (entry.lease !== undefined) {
    return noted(entry, { result: "skipped", note: "the previous one is still running", at });
  }
  if (freeMb < memoryMb) {
    const note = `${Math.round(freeMb)} MB of memory are free, ${memoryMb} are needed`;
    return { ...noted(entry, { result: "delayed", note, at }), nextAt: at + DELAY_MS };
  }
  return start(entry, { schedules, context });
}

const noted = (
  entry: ScheduleEntry,
  last: { at: number; result: ScheduleResult; note: string },
): ScheduleEntry => ({ ...entry, last });

function start(
  entry: ScheduleEntry,
  { schedules, context }: { schedules: Schedules; context: Context },
): ScheduleEntry {
  const { at, output } = context;
  const { name, work, leaseMs } = entry.schedule;
  const count = entry.count + 1;
  const aggregate = scheduleAggregate(schedules.project);
  // With the time, because a schedule that was removed and comes back counts from 1 again.
  const key = `${aggregate}:start:${name}:${count}:${at}`;
  output.effects.push({
    key,
    lane: `${aggregate}:${name}`,
    effect: { kind: "start-scheduled", name, key, work },
  });
  return {
    ...entry,
    count,
    lease: { key, since: at, until: at + leaseMs },
    last: { at, result: "started", note: "" },
  };
}

/** What was started tells its end; of one whose lease has passed, only that it works after all. */
function ended(
  schedules: Schedules,
  { formula, outcome, at }: Extract<Event, { kind: "formula-ended" }>,
  context: Context,
): Schedules {
  const entry = schedules.entries.find(({ schedule }) => formulaRunOf(schedule.name) === formula);
  if (entry === undefined) return schedules;
  const { name } = entry.schedule;
  if (entry.lease === undefined) {
    const works = outcome.kind === "done" && entry.failing === true;
    return works ? change(schedules, name, (one) => ({ ...one, failing: false })) : schedules;
  }
  const note = outcome.reason ?? "";
  if (outcome.kind === "failed") return lost(schedules, { name, result: "failed", note }, context);
  if (outcome.kind === "done") {
    const last = { at, result: "finished", note } as const;
    return over(schedules, name, { last, failing: false });
  }
  // A person stopped it, and knows.
  return over(schedules, name, { last: { at, result: "failed", note } });
}

/** Only the first of several in a row notifies you: one that is broken would do so at every turn. */
function lost(
  schedules: Schedules,
  { name, result, note }: { name: string; result: "failed" | "timed out"; note: string },
  { at, output }: Context,
): Schedules {
  const entry = schedules.entries.find(({ schedule }) => schedule.name === name);
  if (entry !== undefined && entry.failing !== true) {
    const aggregate = scheduleAggregate(schedules.project);
    output.effects.push({
      key: `${aggregate}:notify:${name}:${at}`,
      lane: `${aggregate}:notify`,
      effect: { kind: "notify", severity: "warning", ...scheduleFailed(name, result, note) },
    });
  }
  return over(schedules, name, { last: { at, result, note }, failing: true });
}

const over = (
  schedules: Schedules,
  name: string,
  outcome: Pick<ScheduleEntry, "last" | "failing">,
): Schedules => change(schedules, name, (entry) => ({ ...entry, lease: undefined, ...outcome }));

/** A person wants it now, at any hour; one that is under way is enough. */
function triggered(schedules: Schedules, event: EventOf<"schedule-triggered">, context: Context) {
  return change(schedules, event.name, (entry) =>
    entry.lease === undefined ? start(entry, { schedules, context }) : entry,
  );
}

function failed(
  schedules: Schedules,
  { obligation, message }: Extract<Event, { kind: "effect-failed" }>["failed"],
  context: Context,
): Schedules {
  const { effect } = obligation;
  if (effect.kind === "start-scheduled") {
    return lost(schedules, { name: effect.name, result: "failed", note: message }, context);
  }
  if (effect.kind !== "plan-schedule") return schedules;
  // Looked at again in a while: a schedule is never lost for one failed look.
  return change(schedules, effect.name, (entry) => ({
    ...entry,
    dueAt: undefined,
    nextAt: context.at + DELAY_MS,
    isUnplanned: entry.dueAt === undefined,
    problem: message,
  }));
}

function change(
  schedules: Schedules,
  name: string,
  next: (entry: ScheduleEntry) => ScheduleEntry,
): Schedules {
  const entries = schedules.entries.map((entry) =>
    entry.schedule.name === name ? next(entry) : entry,
  );
  const same = entries.every((entry, at) => entry === schedules.entries[at]);
  return same ? schedules : { ...schedules, entries };
}
