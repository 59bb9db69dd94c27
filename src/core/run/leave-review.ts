// A run that leaves its review: there are new commits, or it has ended; its reviewer need not go on.
import type { Context } from "../context.ts";
import { reviewsAggregate } from "../ids.ts";
import type { Run } from "./run.ts";

type Leaving = { over: boolean; gone?: boolean };

/** `gone`: the PR has ended too, and will not be asked about again. */
export function leaveReview(run: Run, { over, gone }: Leaving, context: Context): void {
  if (run.config.review.role === undefined || run.pr === undefined) return;
  const { pr } = run;
  const ended = gone === true ? { gone } : {};
  context.output.tells.push({
    to: reviewsAggregate(run.project),
    event: { kind: "review-unwanted", at: context.at, pr, over, ...ended },
  });
}
