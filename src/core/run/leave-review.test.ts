import { expect, test } from "vitest";
import { contextAt, testRun } from "../../../test/support/run.ts";
import { withReviewRole } from "../../../test/support/review.ts";
import { leaveReview } from "./leave-review.ts";

test("the review is told that the run no longer waits, if there is one", () => {
  const context = contextAt(5);
  leaveReview(testRun({ pr: 7 }), { over: true }, context);
  leaveReview(withReviewRole(testRun()), { over: true }, context);
  expect(context.output.tells).toEqual([]);
  leaveReview(withReviewRole(testRun({ pr: 7 })), { over: false }, context);
  expect(context.output.tells).toEqual([
    { to: "reviews:toy", event: { kind: "review-unwanted", at: 5, pr: 7, over: false } },
  ]);
});
