// One line that says how it goes: at work, queue, landed, cost, elapsed, and what is due next. On a
// narrow terminal what matters least is left out; no word is cut.
import type { StatusView } from "../../api/runs.ts";
import { formatDuration, formatRelative } from "../../lib/duration.ts";
import { textWidth } from "../../lib/text-width.ts";
import { harmless } from "./text.ts";

/** The queue remembers so many. */
const LANDED_MAX = 50;
const JOINT = " · ";

export type Summed = {
  status: StatusView;
  /** Since when, and how much landed and was spent since: of this command, or of this day. */
  elapsedMs: number | undefined;
  landed: number;
  usd: number;
  now: number;
};

export function summaryLine(summed: Summed, columns: number): string {
  const { status, now } = summed;
  const atWork = status.runs.filter((run) => run.outcome === null && run.alive).length;
  const places = status.projects.reduce((sum, { parallel }) => sum + (parallel ?? 0), 0);
  const waiting = status.waits.filter((wait) => wait.needs_you).length;
  // In the order of the line; the last number is what is left out first.
  const parts: [string, number][] = [
    [`${atWork}${places > 0 ? ` of ${places}` : ""} at work`, 0],
    [`${status.queue.length} in the queue`, 1],
    [`${summed.landed >= LANDED_MAX ? `${LANDED_MAX}+` : summed.landed} landed`, 1],
    ...(waiting === 0
      ? []
      : [[`${waiting} need${waiting === 1 ? "s" : ""} you`, 0] as [string, number]]),
    [`$${summed.usd.toFixed(2)}`, 2],
    ...(summed.elapsedMs === undefined
      ? []
      : [[formatDuration(Math.max(1000, summed.elapsedMs)), 3] as [string, number]]),
    ...nextPart(status, now),
  ];
  return fitted(parts, columns);
}

function nextPart({ next }: StatusView, now: number): [string, number][] {
  if (next === null || next === undefined) return [];
  return [[`next: ${harmless(next.what)} ${formatRelative(Date.parse(next.at), now)}`, 4]];
}

function fitted(parts: [string, number][], columns: number): string {
  const line = parts.map(([text]) => text).join(JOINT);
  if (textWidth(line) <= columns || parts.length <= 1) return line;
  const least = Math.max(...parts.map(([, order]) => order));
  const index = parts.findLastIndex(([, order]) => order === least);
  return fitted(parts.toSpliced(index, 1), columns);
}

/** What this day cost and brought, over all projects that are shown. */
export const ofToday = ({ projects }: StatusView): Pick<Summed, "landed" | "usd"> => ({
  landed: projects.reduce((sum, { today }) => sum + (today?.landed ?? 0), 0),
  usd: projects.reduce((sum, { today }) => sum + (today?.usd ?? 0), 0),
});
