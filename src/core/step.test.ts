import { expect, test } from "vitest";
import { PROJECT, requested, testRun } from "../../test/support/run.ts";
import { projectAggregate, queueAggregate, runAggregate, runId } from "./ids.ts";
import { deadlineOf, step } from "./step.ts";

const run = runAggregate(PROJECT, runId("42.1"));

test("each aggregate is made by its own first event only", () => {
  const upstream = { kind: "local", path: "/toy" } as const;
  const registered = {
    kind: "project-registered",
    at: 0,
    name: PROJECT,
    root: "/",
    upstream,
  } as const;
  const opened = { kind: "queue-opened", at: 0, project: PROJECT } as const;
  expect(step(projectAggregate(PROJECT), undefined, registered).state?.kind).toBe("project");
  expect(step(queueAggregate(PROJECT), undefined, opened).state?.kind).toBe("queue");
  expect(step(run, undefined, requested()).state?.kind).toBe("run");
  expect(step(run, undefined, opened).state).toBeUndefined();
});

test("the state of another kind of aggregate is a mistake of ours, not a missing one", () => {
  expect(() => step(projectAggregate(PROJECT), testRun(), requested())).toThrow(
    "a project was to be stepped, but the state is a run",
  );
});

test("the same state and the same event give the same output", () => {
  const event = { kind: "deadline-passed", at: 200_000_000 } as const;
  expect(step(run, testRun(), event)).toEqual(step(run, testRun(), event));
});

test("a run's next deadline is the aggregate's", () => {
  expect(deadlineOf(testRun())).toBe(testRun().config.limits.quietWarningMs);
  const project = step(projectAggregate(PROJECT), undefined, {
    kind: "project-registered",
    at: 0,
    name: PROJECT,
    root: "/",
    upstream: { kind: "local", path: "/toy" },
  }).state;
  expect(project === undefined ? "none" : deadlineOf(project)).toBeUndefined();
});
