// One line that says how it goes: at work, queue, landed, cost, elapsed, and what is due next. On a
// narrow terminal what matters least is left out; no word is cut.
import type { StatusView } from "../../api/runs.ts";
import { relativeText, spanText } from "../../api/spans.ts";
import { textWidth } from "../../lib/text-width.ts";
import { harmless } from "./text.ts";

/** The queue remembers so many. */
const LANDED_MAX = 50;
const JOINT = " · ";

export type Summed = {
  status: StatusView;
  /** What landed and cost is that of this command since it began, or of this day. */
  since: "start" | "today";
  /** Since when this command, or the daemon, runs. */
  elapsedMs: number | undefined;
  landed: number;
  usd: number;
  /** Of the money, what is estimated. */
  estimatedUsd: number;
  now: number;
};

type Part = [text: string, order: number];

/** In the order of the line; of the parts with the highest order, the last is left out first. */
export const summaryLine = (summed: Summed, columns: number): string =>
  lineOf(fitted(partsOf(summed), columns));

/** The same, and in a second line what did not fit into it; empty where everything did. */
export function summaryLines(
  summed: Summed,
  columns: { first: number; second: number },
): [string, string] {
  const parts = partsOf(summed);
  const shown = fitted(parts, columns.first);
  const left = parts.filter((part) => !shown.includes(part));
  return [lineOf(shown), lineOf(fitted(left, columns.second))];
}

const lineOf = (parts: readonly Part[]): string => parts.map(([text]) => text).join(JOINT);

function partsOf(summed: Summed): Part[] {
  const { status, now } = summed;
  const landed = `${summed.landed >= LANDED_MAX ? `${LANDED_MAX}+` : summed.landed} landed`;
  const waiting = status.waits.filter((wait) => wait.needs_you).length - heldBy(status).length;
  const more = heldBy(status).length > 0 ? " more" : "";
  return [
    [placesText(status), 0],
    [`${status.queue.length} in the queue`, 1],
    [summed.since === "today" ? `${landed} today` : landed, 1],
    ...optional(waiting > 0, [`${waiting}${more} need${waiting === 1 ? "s" : ""} you`, 0]),
    ...costParts(summed),
    ...nextPart(status, now),
  ];
}

const optional = (isThere: boolean, part: Part): Part[] => (isThere ? [part] : []);

/** A run that waits for a person keeps its place: that is why no other one begins. */
const heldBy = ({ runs }: StatusView): StatusView["runs"] =>
  runs.filter((run) => run.outcome === null && run.needs_you !== null);

function placesText(status: StatusView): string {
  const atWork = status.runs.filter(
    (run) => run.outcome === null && run.alive && run.needs_you === null,
  ).length;
  const places = status.projects.reduce((sum, { parallel }) => sum + (parallel ?? 0), 0);
  const held = heldBy(status).length;
  const waits = held === 0 ? "" : `, ${held} wait${held === 1 ? "s" : ""} for you`;
  return `${atWork}${places > 0 ? ` of ${places}` : ""} at work${waits}`;
}

/** What was spent, and in which time: since the start of this command, or today. */
function costParts({ usd, estimatedUsd, since, elapsedMs }: Summed): Part[] {
  const cost = `$${usd.toFixed(2)}${estimateText(usd, estimatedUsd)}`;
  const span = elapsedMs === undefined ? undefined : spanText(Math.max(1000, elapsedMs));
  if (since === "start") return [[span === undefined ? cost : `${cost} in ${span}`, 2]];
  return [[`${cost} today`, 2], ...optional(span !== undefined, [`up ${span}`, 3])];
}

const CENT = 0.01;

/** A sum of floating point numbers is never quite the other. */
function estimateText(usd: number, estimatedUsd: number): string {
  if (estimatedUsd === 0) return "";
  return usd - estimatedUsd < CENT ? " (estimate)" : ` ($${estimatedUsd.toFixed(2)} estimated)`;
}

function nextPart({ next }: StatusView, now: number): Part[] {
  if (next === null || next === undefined) return [];
  return [[`next: ${harmless(next.what)} ${relativeText(Date.parse(next.at), now)}`, 4]];
}

function fitted(parts: readonly Part[], columns: number): readonly Part[] {
  if (textWidth(lineOf(parts)) <= columns || parts.length <= 1) return parts;
  const least = Math.max(...parts.map(([, order]) => order));
  const index = parts.findLastIndex(([, order]) => order === least);
  return fitted(parts.toSpliced(index, 1), columns);
}

/** What this day cost and brought, over all projects that are shown. */
export const ofToday = ({
  projects,
}: StatusView): Pick<Summed, "landed" | "usd" | "estimatedUsd"> => ({
  landed: projects.reduce((sum, { today }) => sum + (today?.landed ?? 0), 0),
  usd: projects.reduce((sum, { today }) => sum + (today?.usd ?? 0), 0),
  estimatedUsd: projects.reduce((sum, { today }) => sum + (today?.estimated_usd ?? 0), 0),
});
