// A run that leaves its review: there are new commits, or it has ended; its reviewer need not go on.
import type { Context } from "../context.ts";
import { reviewsAggregate } from "../ids.ts";
import type { Run } from "./run.ts";

export function leaveReview(run: Run, over: boolean, context: Context): void {
  if (run.config.review.role === undefined || run.pr === undefined) return;
  context.output.tells.push({
    to: reviewsAggregate(run.project),
    event: { kind: "review-unwanted", at: context.at, pr: run.pr, over },
  });
}
