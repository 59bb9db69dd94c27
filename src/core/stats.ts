// What the factory did in a stretch of time, as numbers: pure sums over runs and CI runs. The command
// line and the page show the same ones.
import { dayOf } from "./budget.ts";
import type { StageMark } from "./run/stage.ts";

/** Where the time between an issue and its landing goes. */
export const PARTS = ["waiting", "working", "ci", "review", "queue"] as const;
export type Part = (typeof PARTS)[number];

const PART_OF: Record<StageMark["kind"], Part | undefined> = {
  claiming: "waiting",
  preparing: "waiting",
  fetching: "ci",
  escalated: "waiting",
  working: "working",
  publishing: "ci",
  checking: "ci",
  reviewing: "review",
  judging: "review",
  queued: "queue",
  landed: undefined,
  blocking: undefined,
  ended: undefined,
};

/** A run, as far as the sums need it. */
export type RunStat = {
  role: string;
  /** Undefined while it is at work. */
  outcome: string | undefined;
  /** When its issue was filed, or the run asked for. */
  askedAt: number;
  startedAt: number;
  endedAt: number | undefined;
  stages: readonly StageMark[];
  lives: readonly { from: number; to: number }[];
  crashes: number;
};

export type DayStat = {
  landed: number;
  notLanded: number;
  /** Of what landed, the middle one; undefined where nothing did. */
  leadMs: number | undefined;
  /** Of what landed, on average. */
  parts: Record<Part, number>;
  ciRuns: number;
};

/** When it reached the target; undefined where it did not, or is not known to. */
export const landedAt = ({ outcome, stages, endedAt }: RunStat): number | undefined =>
  outcome === "landed" ? (stages.find(({ kind }) => kind === "landed")?.at ?? endedAt) : undefined;

/** How long it was in each part, from its issue to its landing. */
export function timeIn(run: RunStat): Record<Part, number> {
  const spent = { waiting: 0, working: 0, ci: 0, review: 0, queue: 0 };
  const [first] = run.stages;
  if (first === undefined) return spent;
  spent.waiting = Math.max(0, first.at - run.askedAt);
  const add = (kind: StageMark["kind"], ms: number): void => {
    const part = PART_OF[kind];
    if (part !== undefined) spent[part] += ms;
  };
  run.stages.forEach(({ kind, at, folded = {} }, index) => {
    const next = run.stages[index + 1]?.at;
    if (next === undefined) return;
    const gone = Object.entries(folded) as [StageMark["kind"], number][];
    for (const [other, ms] of gone) add(other, ms);
    add(kind, next - at - gone.reduce((sum, [, ms]) => sum + ms, 0));
  });
  return spent;
}

/** `ciRuns`: of the merge queue, by day. Days are named in UTC; those without news are zeros. */
export function statOfDay(
  runs: readonly RunStat[],
  day: string,
  queueRuns: Readonly<Record<string, number>>,
): DayStat {
  const landed = runs.filter((run) => isOn(landedAt(run), day));
  const leads = landed.map((run) => (landedAt(run) ?? 0) - run.askedAt);
  const own = runs.flatMap(({ stages }) =>
    stages.filter(
      ({ kind, at, remembered }) => kind === "checking" && remembered !== true && isOn(at, day),
    ),
  );
  return {
    landed: landed.length,
    notLanded: runs.filter(({ outcome, endedAt }) => isFailure(outcome) && isOn(endedAt, day))
      .length,
    leadMs: median(leads),
    parts: meanParts(landed),
    ciRuns: own.length + (queueRuns[day] ?? 0),
  };
}

/** The parts of all that landed in the whole stretch. */
export function meanParts(landed: readonly RunStat[]): Record<Part, number> {
  const sums = { waiting: 0, working: 0, ci: 0, review: 0, queue: 0 };
  const known = landed.filter(({ stages }) => stages.length > 0);
  for (const run of known) {
    const spent = timeIn(run);
    for (const part of PARTS) sums[part] += spent[part] / known.length;
  }
  return sums;
}

/** What work was held up by, most often first. */
export function failures(
  runs: readonly RunStat[],
  { from, to }: { from: number; to: number },
): { cause: string; count: number }[] {
  const counts = new Map<string, number>();
  const add = (cause: string, count = 1): void => {
    if (count > 0) counts.set(cause, (counts.get(cause) ?? 0) + count);
  };
  for (const run of runs) {
    run.stages.forEach(({ kind, at }, index) => {
      const before = run.stages[index - 1]?.kind;
      if (at < from || at > to || before === undefined) return;
      if (kind === "escalated") add("a person was asked");
      if (!isBack(run, index)) return;
      if (before === "checking") add("CI failed");
      if (before === "queued") add("sent back by the merge queue");
      if (before === "reviewing") add("changes requested");
      if (before === "judging") add("answer refused");
    });
    const isIn = run.endedAt === undefined || (run.endedAt >= from && run.endedAt <= to);
    if (isIn) add("agent crashed", run.crashes);
    if (isIn && isFailure(run.outcome)) add(`ended as ${run.outcome}`);
  }
  return [...counts]
    .map(([cause, count]) => ({ cause, count }))
    .toSorted((a, b) => b.count - a.count || a.cause.localeCompare(b.cause));
}

/**
 * It came back to its agent. An agent that writes its phase again while others work for it has its
 * branch fetched first; what is fetched after a part of the work landed was not sent back.
 */
function isBack({ stages }: RunStat, index: number): boolean {
  const kind = stages[index]?.kind;
  if (kind === "working") return true;
  return kind === "fetching" && stages[index + 1]?.kind !== "landed";
}

export type LoadStat = { at: number; queue: number; sessions: number };

/** The most that were in the queue and alive at once, in each of so many equal slices. */
export function loadOver(
  runs: readonly RunStat[],
  { from, to, slices }: { from: number; to: number; slices: number },
): LoadStat[] {
  const queue = runs.flatMap((run) => spansOf(run, "queued", to));
  const sessions = runs.flatMap(({ lives }) => lives);
  const slice = (to - from) / slices;
  const starts = Array.from({ length: slices }, (_, index) => from + index * slice);
  const [queued, alive] = [queue, sessions].map((spans) => mostIn(spans, starts, slice));
  return starts.map((at, index) => ({
    at,
    queue: queued?.[index] ?? 0,
    sessions: alive?.[index] ?? 0,
  }));
}

type Span = { from: number; to: number };

function spansOf({ stages, endedAt }: RunStat, wanted: StageMark["kind"], to: number): Span[] {
  return stages.flatMap(({ kind, at }, index) =>
    kind === wanted ? [{ from: at, to: stages[index + 1]?.at ?? endedAt ?? to }] : [],
  );
}

/** One walk through all beginnings and ends, however many there are. */
function mostIn(spans: readonly Span[], starts: readonly number[], slice: number): number[] {
  const steps = spans
    .flatMap(({ from, to }) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || a.by - b.by);
  let now = 0;
  let next = 0;
  return starts.map((start) => {
    let most = 0;
    for (; next < steps.length; next += 1) {
      const step = steps[next];
      if (step === undefined || step.at >= start + slice) break;
      if (step.at >= start) most = Math.max(most, now);
      now += step.by;
    }
    return Math.max(most, now);
  });
}

const GOOD: readonly string[] = ["landed", "answered"];

const isFailure = (outcome: string | undefined): outcome is string =>
  outcome !== undefined && !GOOD.includes(outcome);

const isOn = (at: number | undefined, day: string): boolean =>
  at !== undefined && dayOf(at) === day;

export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
