import { expect, test } from "vitest";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { actionAggregate, commitId, projectName, runId } from "../ids.ts";
import type { Action, ActionWork } from "./action.ts";
import { stepAction } from "./step-action.ts";

const PROJECT = projectName("toy");
const ID = actionAggregate(PROJECT, 7);
const KEY = `${ID}#1`;
const wanted: Event = { kind: "action-wanted", at: 1, project: PROJECT, issue: 7, title: "Clean" };
const TASK: ActionWork = { kind: "task", brief: "do it", model: "opus" };
const FORMULA: ActionWork = {
  kind: "formula",
  formula: {
    name: "sweep",
    description: "",
    version: 1,
    model: undefined,
    contextFiles: [],
    vars: [],
    steps: [],
  },
  vars: { a: "b" },
  source: "sweep.toml",
  context: "As every week.",
};
const begun = (work: ActionWork): Event => ({ kind: "action-begun", at: 2, work });
const settled: Event = { kind: "issue-settled", at: 9 };
const finished = (outcome: Extract<Event, { kind: "task-finished" }>["outcome"]): Event => ({
  kind: "task-finished",
  at: 3,
  key: KEY,
  run: runId("action-7.1"),
  outcome,
});

function after(...events: Event[]): { action: Action; output: Output } {
  let action: Action | undefined;
  let output = emptyOutput();
  for (const event of events) {
    output = emptyOutput();
    action = stepAction(action, event, output);
  }
  if (action === undefined) throw new Error("there is no action");
  return { action, output };
}
const told = ({ output }: { output: Output }): string[] =>
  output.tells.map(({ to, event }) => `${to} ${event.kind}`);

test("a wanted action is claimed and read once, however often it is wanted", () => {
  const first = after(wanted);
  expect(first.output.effects).toMatchObject([
    { key: `${KEY}:begin`, effect: { kind: "begin-action", issue: 7, claim: KEY } },
  ]);
  expect(after(wanted, wanted).output.effects).toEqual([]);
  expect(after(wanted, begun(TASK), wanted).action.stage.kind).toBe("task");
});

test("without a formula an agent of the action role gets it, for 8 h at most and 4 h of silence", () => {
  const { output } = after(wanted, begun(TASK));
  expect(output.tells).toMatchObject([
    {
      to: "project:toy",
      event: {
        kind: "task-requested",
        task: {
          key: KEY,
          role: "action",
          issue: 7,
          output: "either",
          model: "opus",
          takesPlace: true,
          limits: { lifeMs: 28_800_000, idleMs: 14_400_000 },
        },
      },
    },
  ]);
});

test("its limits are those that the project has configured", () => {
  const limits = { lifeMs: 60_000, idleMs: 30_000 };
  const { output } = after(wanted, begun({ ...TASK, limits }));
  expect(output.tells).toMatchObject([{ event: { task: { limits } } }]);
});

test("a report is accepted, posted on the issue, and closes it", () => {
  const answered = after(wanted, begun(TASK), finished({ kind: "result", text: "cleaned" }));
  expect(told(answered)).toEqual(["run:toy/action-7.1 task-accepted"]);
  expect(answered.output.effects).toMatchObject([
    {
      key: `${KEY}:settle`,
      effect: { kind: "settle-issue", close: true, comment: expect.stringContaining("cleaned") },
    },
  ]);
  const { action } = after(wanted, begun(TASK), finished({ kind: "result", text: "x" }), settled);
  expect(action.stage).toMatchObject({ kind: "ended", outcome: { kind: "done" } });
});

test("an agent that says nothing is asked to", () => {
  const silent = after(wanted, begun(TASK), finished({ kind: "nothing" }));
  expect(told(silent)).toEqual(["run:toy/action-7.1 task-refused"]);
  expect(silent.action.stage.kind).toBe("task");
});

test("commits that landed close the issue as well", () => {
  const commit = commitId("c1");
  const { output } = after(wanted, begun(TASK), finished({ kind: "landed", commit }));
  expect(output.effects).toMatchObject([{ effect: { close: true } }]);
});

test("what failed is blocked, with the reason, for a person to look at", () => {
  const { output } = after(wanted, begun(TASK), finished({ kind: "failed", reason: "no disk" }));
  expect(output.effects).toMatchObject([
    {
      effect: {
        close: false,
        addLabels: ["blocked"],
        removeLabels: ["in-progress"],
        comment: expect.stringContaining("no disk"),
      },
    },
  ]);
});

test("a formula is run, and its end is the action's", () => {
  const running = after(wanted, begun(FORMULA));
  expect(running.output.tells).toMatchObject([
    {
      to: "formula:toy/action-7.1",
      event: {
        kind: "formula-requested",
        vars: { a: "b" },
        asker: ID,
        context: "As every week.",
      },
    },
  ]);
  const ended = (kind: "done" | "failed"): Event => ({
    kind: "formula-ended",
    at: 5,
    formula: "action-7.1",
    cycle: 1,
    outcome: { kind, at: 5, reason: kind === "failed" ? "red" : undefined },
  });
  const close = (event: Event) => after(wanted, begun(FORMULA), event).output.effects[0]?.effect;
  expect(close(ended("done"))).toMatchObject({ close: true });
  expect(close(ended("failed"))).toMatchObject({ close: false, addLabels: ["blocked"] });
});

test("a text that cannot be used is answered on the issue", () => {
  const { output } = after(wanted, begun({ kind: "unclear", problem: "no formula x" }));
  expect(output.effects).toMatchObject([
    { effect: { kind: "settle-issue", comment: expect.stringContaining("no formula x") } },
  ]);
});

test("an issue that a person closes takes its agent or formula back", () => {
  const closed: Event = { kind: "action-unwanted", at: 4, why: "closed" };
  expect(told(after(wanted, begun(TASK), closed))).toEqual(["project:toy task-withdrawn"]);
  expect(told(after(wanted, begun(FORMULA), closed))).toEqual([
    "formula:toy/action-7.1 formula-stopped",
  ]);
  expect(after(wanted, closed).action.stage.kind).toBe("ended");
});

test.each([
  ["being claimed", []],
  ["with an agent", [begun(TASK)]],
  ["with a formula", [begun(FORMULA)]],
])("closed by a person while it is %s, it loses its claim and can be begun again", (_, events) => {
  const closed: Event = { kind: "action-unwanted", at: 4, why: "closed" };
  const { action, output } = after(wanted, ...events, closed);
  expect(output.effects).toEqual([
    {
      key: `${KEY}:settle`,
      // After a claim that is still under way.
      lane: ID,
      effect: {
        kind: "settle-issue",
        issue: 7,
        close: false,
        addLabels: [],
        removeLabels: ["in-progress"],
        comment: undefined,
        pr: undefined,
      },
    },
  ]);
  expect(action.stage).toMatchObject({ kind: "ended", outcome: { kind: "closed" } });
  const again = after(wanted, ...events, closed, settled, { ...wanted, at: 10 });
  expect(again.output.effects).toMatchObject([{ key: `${ID}#2:begin` }]);
});

test("ready again after its end, it is tried again under another key", () => {
  const lost: Event = { kind: "action-lost", at: 2, why: "taken" };
  expect(after(wanted, lost, wanted).output.effects).toEqual([]);
  const later = { ...wanted, at: 400_000 };
  expect(after(wanted, lost, later).output.effects).toMatchObject([{ key: `${ID}#2:begin` }]);
});

test("an issue that cannot be reached is told to a person, and given up", () => {
  const obligation = {
    key: `${KEY}:begin`,
    lane: ID,
    effect: { kind: "begin-action", issue: 7, claim: KEY },
  } as const;
  const failed: Event = {
    kind: "effect-failed",
    at: 3,
    failed: { obligation, code: "gone", message: "no such issue" },
  };
  const { action, output } = after(wanted, failed);
  expect(action.stage.kind).toBe("ended");
  expect(output.effects).toMatchObject([{ effect: { kind: "notify", severity: "warning" } }]);
});
