// When a run entered each of its stages: what statistics and timelines are made from, long after its
// events are gone.
import type { Run } from "./run.ts";
import type { Stage } from "./stage.ts";

type Kind = Stage["kind"];

export type StageMark = {
  kind: Kind;
  at: number;
  /** A check whose result was known: nothing ran. */
  remembered?: true;
  /** Of the first one: how long stages lasted whose marks are gone, in ms. */
  folded?: Partial<Record<Kind, number>>;
};

/** A run that goes back and forth more often loses the oldest ones but the first. */
const MARKS_MAX = 100;

/** The very same run where its stage is the same. */
export function markStage(before: Run | undefined, run: Run, at: number): Run {
  const { kind } = run.stage;
  if (before?.stage.kind === kind) return run;
  const marks = before === undefined ? [] : (run.stages ?? []);
  const kept = marks.length < MARKS_MAX ? marks : fold(marks);
  return { ...run, stages: [...kept, { kind, at }] };
}

/** The oldest mark but the first goes; the time of its stage stays. */
function fold([first, gone, next, ...rest]: readonly StageMark[]): readonly StageMark[] {
  if (first === undefined || gone === undefined || next === undefined) return [];
  const spent = (first.folded?.[gone.kind] ?? 0) + next.at - gone.at;
  return [{ ...first, folded: { ...first.folded, [gone.kind]: spent } }, next, ...rest];
}

/** The check under way needed no run. */
export function markRemembered(run: Run): Run {
  const last = run.stages?.at(-1);
  if (last?.kind !== "checking") return run;
  return { ...run, stages: [...(run.stages ?? []).slice(0, -1), { ...last, remembered: true }] };
}
