import { expect, test } from "vitest";
import { contextAt, testRun, testSession } from "../../../test/support/run.ts";
import { taskRun, testTask } from "../../../test/support/task.ts";
import {
  branchName,
  needsReview,
  isActive,
  isAttended,
  isOver,
  isWaiting,
  warn,
  issueOf,
  refOf,
  shownRef,
  titleOf,
  type Run,
} from "./run.ts";

test.each([
  ["Add a greeting", "pawl/42-add-a-greeting"],
  ["  Überraschung: $(rm -rf /) `x` 🎉\n", "pawl/42-berraschung-rm-rf-x"],
  ["🎉", "pawl/42"],
  ["", "pawl/42"],
  [`${"word ".repeat(20)}`, "pawl/42-word-word-word-word-word-word-word-word"],
  ["refs/heads/../..lock", "pawl/42-refs-heads-lock"],
])("the branch of %j is a safe ref", (title, branch) => {
  expect(branchName("42", title)).toBe(branch);
});

test("a title of ten megabytes makes a short branch", () => {
  expect(branchName("42", "-a".repeat(5_000_000)).length).toBeLessThan(60);
});

test("a run owes something until it has an outcome, and is over once all is cleared away", () => {
  const landed = testRun({ outcome: { kind: "blocked", reason: "r" } });
  expect([isActive(testRun()), isActive(landed)]).toEqual([true, false]);
  expect([isOver(landed), isOver(testRun({ stage: { kind: "ended" } }))]).toEqual([false, true]);
});

test("an agent waits while others work for it, also before its branch has been looked at", () => {
  expect(isWaiting(testRun())).toBe(false);
  expect(isWaiting(testRun({ stage: { kind: "fetching", ordinal: 1 } }))).toBe(true);
  expect(isWaiting(testRun({ stage: { kind: "preparing" } }))).toBe(false);
});

test("a person is there who holds the run or sits at its terminal", () => {
  expect(isAttended(testRun())).toBe(false);
  expect(isAttended(testRun({ held: { by: "ada", at: 0 } }))).toBe(true);
  expect(isAttended(testRun({ session: testSession({ attached: true }) }))).toBe(true);
  const gone = testSession({ attached: true, status: "ended" });
  expect(isAttended(testRun({ session: gone }))).toBe(false);
});

test("the newest warnings are kept, and not more than a screen of them", () => {
  let run: Run = testRun();
  for (let at = 0; at < 50; at += 1) run = warn(run, `warning ${at}`, contextAt(at));
  expect(run.warnings).toHaveLength(20);
  expect(run.warnings.at(-1)).toEqual({ at: 49, text: "warning 49" });
});

test("a branch that may change only its role's own files needs no review, unless the project wants it", () => {
  const run = taskRun({}, { ...testTask(), output: "branch", files: ["planner/**"] });
  const review = (more: Partial<Run["config"]["review"]>): Run["config"] => ({
    ...run.config,
    review: { required: true, ...more },
  });
  expect(needsReview({ ...run, config: review({}) })).toBe(false);
  expect(needsReview({ ...run, config: review({ journals: true }) })).toBe(true);
  expect(needsReview({ ...run, steers: true, config: review({}) })).toBe(true);
  expect(needsReview({ ...run, steers: true, config: review({ required: false }) })).toBe(false);
  expect(needsReview({ ...taskRun(), config: review({}) })).toBe(true);
});

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
