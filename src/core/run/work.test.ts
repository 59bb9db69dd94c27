import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import { taskRun } from "../../../test/support/task.ts";
import { issueOf, refOf, shownRef, titleOf } from "./work.ts";

test("a run is named by its issue, or by its identity where it works on a task", () => {
  const [issue, task] = [testRun(), taskRun()];
  expect([titleOf(issue), issueOf(issue), refOf(issue), shownRef(issue)]).toEqual([
    "Add a greeting",
    42,
    "42",
    "#42",
  ]);
  expect([titleOf(task), issueOf(task), refOf(task), shownRef(task)]).toEqual([
    "Review #17",
    undefined,
    "review-17",
    "review-17",
  ]);
});
