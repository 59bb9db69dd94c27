import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { onGreenTarget } from "../../../test/support/proven.ts";
import { PROJECT, tellKinds } from "../../../test/support/run.ts";
import { testTask } from "../../../test/support/task.ts";
import type { Budget } from "../budget.ts";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { commitId, runId } from "../ids.ts";
import { deadlineOf } from "../step.ts";
import type { Task } from "../task.ts";
import type { Project } from "./project.ts";
import { stepProject } from "./step-project.ts";

const DAY_MS = 86_400_000;

function after(events: Event[], change: { budget?: Budget; parallel?: number } = {}) {
  const config = { ...testConfig(), parallel: 1, ...change };
  const upstream = { kind: "local", path: "/toy" } as const;
  const all: Event[] = [
    { kind: "project-registered", at: 0, name: PROJECT, root: "/toy", upstream },
    { kind: "project-configured", at: 0, config, source: "pawl.toml" },
    ...events,
  ];
  let project: Project | undefined;
  let output: Output = emptyOutput();
  for (const event of onGreenTarget(all)) {
    output = emptyOutput();
    project = stepProject(project, event, output);
  }
  return { project: project as Project, output };
}

const asked = (change: Partial<Task> = {}): Event => ({
  kind: "task-requested",
  at: 0,
  task: testTask(change),
});
const issues: Event = {
  kind: "issues-observed",
  at: 0,
  issues: [{ number: 1, title: "One", labels: ["backlog"], createdAt: 0, unmet: [] }],
};

test("a task gets a run at once, and takes no place of an issue", () => {
  const { project, output } = after([asked(), issues]);
  expect(project.active.map(({ run }) => run)).toEqual(["review-17.1", "1.1"]);
  expect(tellKinds(output)).toEqual(["run-requested", "worker-started"]);
});

test("one that takes a place waits for it, and issues wait for it", () => {
  const { project } = after([asked({ takesPlace: true }), issues]);
  expect(project.active.map(({ run }) => run)).toEqual(["review-17.1"]);
  expect(after([issues, asked({ takesPlace: true })]).project.tasks).toHaveLength(1);
});

test("asked again under the same key it is the same task", () => {
  const { project, output } = after([asked(), asked()]);
  expect([project.active.length, project.tasks.length, output.tells.length]).toEqual([1, 0, 0]);
});

test("an identity works on one task at a time, and goes on counting", () => {
  const run = runId("review-17.1");
  const both = [asked(), asked({ key: "second" })];
  expect(after(both).project).toMatchObject({ active: [{ run }], tasks: [{ key: "second" }] });
  const ended: Event = { kind: "run-ended", at: 0, run, outcome: { kind: "answered" }, epoch: 3 };
  expect(after([...both, ended]).project.tasks).toHaveLength(1);
  const { project, output } = after([...both, ended, { kind: "run-cleared", at: 0, run }]);
  expect(project.active).toMatchObject([{ run: "review-17.2" }]);
  expect(output.tells).toMatchObject([
    { event: { kind: "task-given", lastEpoch: 3, attempt: 2 } },
    { event: { kind: "worker-started", identity: "review-17", role: "review" } },
  ]);
});

test("a task is told what its last run landed, also after one that landed nothing: its workspace may still hold that", () => {
  const head = commitId("1".repeat(40));
  const ended = (number: number, more: object): Event[] => {
    const run = runId(`review-17.${number}`);
    const end = { kind: "run-ended", at: 0, run, outcome: { kind: "answered" }, epoch: 1, ...more };
    return [asked(), end as Event, { kind: "run-cleared", at: 0, run }];
  };
  const events = [
    ...ended(1, { outcome: { kind: "landed", commit: head }, head }),
    ...ended(2, {}),
  ];
  const { output } = after([...events, asked()]);
  expect(output.tells[0]?.event).toMatchObject({ run: "review-17.3", landedHead: head });
});

test("what cannot be done is answered at once", () => {
  const { project, output } = after([asked({ name: "../x" })]);
  expect(project.tasks).toEqual([]);
  expect(output.tells).toMatchObject([
    { to: "project:toy", event: { kind: "task-finished", outcome: { kind: "failed" } } },
  ]);
});

test("a paused project keeps tasks, and gives them out when it goes on", () => {
  const paused: Event = { kind: "project-paused", at: 0, by: "ada", why: "holiday" };
  expect(after([paused, asked()]).project).toMatchObject({ active: [], tasks: [{ key: "k" }] });
  const resumed = after([paused, asked(), { kind: "project-resumed", at: 0 }]);
  expect(resumed.project.active).toHaveLength(1);
});

test("a role whose budget of the day is spent begins nothing before the next day", () => {
  const budget = { roles: { review: { tokens: 10 } } };
  const spent: Event = { kind: "usage-spent", at: 0, role: "review", tokens: 10, usd: 0 };
  const waiting = after([spent, asked()], { budget });
  expect(waiting.project.active).toEqual([]);
  expect(deadlineOf(waiting.project)).toBe(DAY_MS);
  const next = after([spent, asked(), { kind: "deadline-passed", at: DAY_MS }], { budget });
  expect(next.project.active).toHaveLength(1);
  expect(deadlineOf(next.project)).toBeUndefined();
});

test("a task that is withdrawn is dropped, or its run is told", () => {
  const gone: Event = { kind: "task-withdrawn", at: 0, key: "second", why: "closed" };
  expect(after([asked(), asked({ key: "second" }), gone]).project.tasks).toEqual([]);
  const { output } = after([asked(), { ...gone, key: "k" }]);
  expect(output.tells).toMatchObject([{ to: "run:toy/review-17.1", event: { key: "k" } }]);
});
