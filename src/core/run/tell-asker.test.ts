import { expect, test } from "vitest";
import { contextAt, testRun } from "../../../test/support/run.ts";
import { taskRun } from "../../../test/support/task.ts";
import { tellAsker } from "./tell-asker.ts";

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
