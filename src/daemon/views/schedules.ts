// Schedules for people: when each comes next, and what became of the last one.
import type { ScheduleView } from "../../api/schedules.ts";
import type { ScheduleEntry, Schedules, When } from "../../core/schedule/schedule.ts";
import { formatDuration } from "../../lib/duration.ts";
import { iso } from "./agents.ts";

export const scheduleViews = ({ project, entries }: Schedules): ScheduleView[] =>
  entries.map((entry) => view(project, entry));

function view(project: string, entry: ScheduleEntry): ScheduleView {
  const { schedule, nextAt, lease, last, count, problem } = entry;
  const { name, work, enabled } = schedule;
  const isoOr = (at: number | undefined): string | null => (at === undefined ? null : iso(at));
  return {
    name,
    project,
    when: whenText(schedule.when),
    work: work.kind === "role" ? `role ${work.role}` : `formula ${work.formula}`,
    enabled,
    next: enabled ? isoOr(nextAt) : null,
    running_since: isoOr(lease?.since),
    last_at: isoOr(last?.at),
    last_result: last?.result ?? null,
    note: problem ?? last?.note ?? "",
    count,
  };
}

const whenText = (when: When): string =>
  when.kind === "every"
    ? `every ${formatDuration(when.everyMs)}`
    : `${when.pattern} ${when.timeZone}`;
