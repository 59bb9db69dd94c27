// A task as tests need one, and a run that works on it.
import { giveTask } from "../../src/core/run/request.ts";
import type { Run } from "../../src/core/run/run.ts";
import type { Task } from "../../src/core/task.ts";
import { projectAggregate, runId } from "../../src/core/ids.ts";
import { testConfig } from "./config.ts";
import { BASE, PROJECT, testSession } from "./run.ts";

export const testTask = (change: Partial<Task> = {}): Task => ({
  by: projectAggregate(PROJECT),
  key: "k",
  role: "review",
  name: "17",
  title: "Review #17",
  brief: "Look at it.",
  output: "result",
  at: { kind: "target" },
  ...change,
});

export const given = (task: Task = testTask()) =>
  ({
    kind: "task-given",
    at: 0,
    project: PROJECT,
    run: runId("review-17.1"),
    task,
    attempt: 1,
    lastEpoch: 0,
    slot: 0,
    config: testConfig(),
  }) as const;

/** Its agent works in its first life. */
export const taskRun = (change: Partial<Run> = {}, task?: Task): Run => ({
  ...giveTask(given(task)),
  stage: { kind: "working" },
  base: BASE,
  epoch: 1,
  session: testSession(),
  ...change,
});
