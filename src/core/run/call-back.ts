// No longer wanting what others do for a run: its check, its place in the merge queue.
import type { Context } from "../context.ts";
import { queueAggregate } from "../ids.ts";
import { cancelCheck } from "./check-branch.ts";
import type { Run } from "./run.ts";

/** The run has the ball again, and nothing goes on behind its back. */
export function callBack(run: Run, why: string, context: Context): Run {
  if (run.stage.kind === "checking") cancelCheck(run, context);
  else if (run.stage.kind === "queued") {
    context.output.tells.push({
      to: queueAggregate(run.project),
      event: { kind: "entry-withdrawn", at: context.at, branch: run.branch, why },
    });
  } else return run;
  return { ...run, stage: { kind: "working" } };
}
