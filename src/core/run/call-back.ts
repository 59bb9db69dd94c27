// No longer wanting what others do for a run: its fetch, its check, its place in the merge queue.
import type { Context } from "../context.ts";
import { queueAggregate, runAggregate } from "../ids.ts";
import { cancelCheck } from "./check-branch.ts";
import type { Run } from "./run.ts";

/** The run decides again: effects under way for it are cancelled. */
export function callBack(run: Run, why: string, context: Context): Run {
  const free = cancelFetch(run, context);
  if (run.stage.kind === "checking") cancelCheck(run, context);
  else if (run.stage.kind === "queued") leaveQueue(run, why, context);
  else return free;
  return { ...free, stage: { kind: "working" } };
}

export const fetchKey = (run: Run, ordinal: number): string =>
  `${runAggregate(run.project, run.id)}:fetch:${ordinal}`;

/** A branch that is fetched after this must not send the run on. */
export function cancelFetch(run: Run, context: Context): Run {
  if (run.fetching === undefined) return run;
  context.output.cancelled.push(fetchKey(run, run.fetching));
  return { ...run, fetching: undefined };
}

export const prepareKey = (run: Pick<Run, "project" | "id">): string =>
  `${runAggregate(run.project, run.id)}:prepare`;

export function cancelPrepare(run: Run, context: Context): void {
  if (run.stage.kind === "preparing") context.output.cancelled.push(prepareKey(run));
}

export function leaveQueue(run: Run, why: string, context: Context): void {
  context.output.tells.push({
    to: queueAggregate(run.project),
    event: { kind: "entry-withdrawn", at: context.at, branch: run.branch, why },
  });
}
