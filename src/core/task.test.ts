import { expect, test } from "vitest";
import { testTask } from "../../test/support/task.ts";
import { TASK_BRIEF_MAX, taskIdentity, taskProblem } from "./task.ts";

test("a task's identity is its role and name", () => {
  expect(taskIdentity(testTask())).toBe("review-17");
});

test.each(["17", "main", "a-b-3", "x".repeat(60)])("%j is a name for a task", (name) => {
  expect(taskProblem(testTask({ name }))).toBeUndefined();
});

test.each(["", "-a", "a-", "A", "a.b", "a/b", "../x", "a b", "x".repeat(61)])(
  "%j is not a valid task name",
  (name) => {
    expect(taskProblem(testTask({ name }))).toContain("is not a valid task name");
  },
);

test("a brief that is too long and the role of issues are refused", () => {
  expect(taskProblem(testTask({ brief: "x".repeat(TASK_BRIEF_MAX + 1) }))).toContain("brief");
  expect(taskProblem(testTask({ role: "dev" }))).toContain("issues");
});
