import { expect, test } from "vitest";
import { contextAt, testRun } from "../../../test/support/run.ts";
import { announce, leaveReview, tellAsker } from "./tell.ts";
import { withReviewRole } from "../../../test/support/review.ts";
import { taskRun } from "../../../test/support/task.ts";

test("a signal says of whom it speaks", () => {
  const context = contextAt(7);
  announce(testRun(), { kind: "AGENT_CRASHED", detail: { exit: null } }, context);
  expect(context.output.signals).toEqual([
    {
      kind: "AGENT_CRASHED",
      at: 7,
      project: "toy",
      identity: "dev-42",
      run: "42.1",
      detail: { session_id: "dev-42-1@toy", exit: null },
    },
  ]);
});

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

test("the asker of a task is told; an issue has no asker", () => {
  const context = contextAt(5);
  tellAsker(testRun(), { kind: "nothing" }, context);
  expect(context.output.tells).toEqual([]);
  tellAsker(taskRun(), { kind: "nothing" }, context);
  const event = {
    kind: "task-finished",
    at: 5,
    key: "k",
    run: "review-17.1",
    outcome: { kind: "nothing" },
  };
  expect(context.output.tells).toEqual([{ to: "project:toy", event }]);
});
