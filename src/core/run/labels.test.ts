import { expect, test } from "vitest";
import { contextAt, kinds, stepped, testRun } from "../../../test/support/run.ts";
import { taskRun } from "../../../test/support/task.ts";
import type { Event } from "../event.ts";
import { isOurs, labelsObserved } from "./labels.ts";

test.each([
  [["in-progress"], true],
  [["in-progress", "priority"], true],
  [["in-progress", "blocked"], false],
  [["backlog"], false],
])("%j are as Pawl left them: %s", (labels, ours) => {
  expect(isOurs(labels)).toBe(ours);
});

test("a person who takes `in-progress` away takes the issue back, and nothing is undone", () => {
  const event: Event = { kind: "issue-observed", at: 0, state: "open", labels: ["backlog"] };
  const { run, output } = stepped(testRun(), event);
  expect(run.outcome).toMatchObject({
    kind: "closed",
    why: expect.stringContaining("in-progress"),
  });
  expect(kinds(output)).toEqual(["end-session", "checkpoint"]);
});

test("a person who adds `blocked` stops the run; it is left as one that gave up", () => {
  const labels = ["in-progress", "blocked"];
  const { run, output } = stepped(testRun(), {
    kind: "issue-observed",
    at: 0,
    state: "open",
    labels,
  });
  expect(run.outcome?.kind).toBe("closed");
  expect(output.effects[0]?.effect).toMatchObject({
    addLabels: ["backlog"],
    removeLabels: ["in-progress"],
    comment: undefined,
  });
});

test("a run that is only claiming, and a task, have no labels to lose", () => {
  const claiming = testRun({ stage: { kind: "claiming" } });
  expect(labelsObserved(claiming, { labels: [] }, contextAt())).toBe(claiming);
  const task = taskRun();
  expect(labelsObserved(task, { labels: [] }, contextAt())).toBe(task);
});
