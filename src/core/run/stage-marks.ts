// When a run entered each of its stages: what statistics and timelines are made from, long after its
// events are gone.
import type { Run } from "./run.ts";
import type { Stage } from "./stage.ts";

export type StageMark = { kind: Stage["kind"]; at: number };

/** A run that goes back and forth more often loses the oldest ones but the first. */
const MARKS_MAX = 100;

/** The very same run where its stage is the same. */
export function markStage(before: Run | undefined, run: Run, at: number): Run {
  const { kind } = run.stage;
  if (before?.stage.kind === kind) return run;
  const marks = before === undefined ? [] : (run.stages ?? []);
  const [first] = marks;
  const kept = first === undefined || marks.length < MARKS_MAX ? marks : [first, ...marks.slice(2)];
  return { ...run, stages: [...kept, { kind, at }] };
}
