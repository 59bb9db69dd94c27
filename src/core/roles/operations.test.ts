import { expect, test } from "vitest";
import { describe, plan, type OpenIssue } from "./operations.ts";
import type { Change, StandingRole } from "./result.ts";

const issues: OpenIssue[] = [
  { number: 1, title: "Fix the date parser", labels: ["backlog"] },
  { number: 2, title: "Being worked on now", labels: ["in-progress"] },
  { number: 3, title: "CI will fill the disk", labels: ["prediction/unreviewed"] },
];
const planned = (changes: Change[], role: StandingRole = "gardener") =>
  plan({ changes }, [], { role, issues });
const create = (title: string): Change => ({
  kind: "create-issue",
  title,
  body: "b",
  labels: ["backlog"],
});

test("each change becomes operations with names of their own and what would undo them", () => {
  const { operations, left } = planned([
    { kind: "close", issue: 1, reason: "same as #9" },
    { kind: "add-label", issue: 1, label: "priority" },
  ]);
  expect(left).toEqual([]);
  expect(operations).toMatchObject([
    { name: "change-1.comment-1", kind: "comment", issue: 1, body: "same as #9" },
    { name: "change-1.edit-issue-1", kind: "edit-issue", close: true, undo: "pawl issue reopen 1" },
    { name: "change-2.edit-issue-1", addLabels: ["priority"], undo: "remove the label priority" },
  ]);
});

test.each<[Change, string]>([
  [{ kind: "close", issue: 7, reason: "r" }, "it is not open"],
  [{ kind: "edit-body", issue: 2, body: "b" }, "it is being worked on"],
  [create("Fix date parser"), "#1 says the same"],
  [
    { kind: "triage", issue: 1, outcome: "dismiss", reason: "r", title: "", body: "" },
    "not a prediction that still needs a review",
  ],
])("%j is left out, and said", (change, why) => {
  expect(planned([change])).toEqual({ operations: [], left: [expect.stringContaining(why)] });
});

test("a prediction gets only its own label, also if others were requested", () => {
  expect(planned([create("A new one altogether")], "predictor").operations).toMatchObject([
    { kind: "create-issue", labels: ["prediction/unreviewed"] },
  ]);
});

const ENDED = ["prediction/actioned"];
const PROMOTED = ["create-issue", "comment", "edit-issue"];

test.each([
  { outcome: "watch", kinds: ["comment", "edit-issue"], addLabels: ["prediction/backlog"] },
  { outcome: "dismiss", kinds: ["comment", "edit-issue"], addLabels: ENDED },
  { outcome: "backlog", kinds: PROMOTED, addLabels: ENDED },
  { outcome: "action", kinds: PROMOTED, addLabels: ENDED },
] as const)("a prediction can end as $outcome", ({ outcome, kinds, addLabels }) => {
  const change = { kind: "triage", issue: 3, outcome, reason: "r", title: "t", body: "b" } as const;
  const { operations } = planned([change], "planner");
  expect(operations.map(({ kind }) => kind)).toEqual(kinds);
  expect(operations.at(-1)).toMatchObject({
    issue: 3,
    addLabels,
    removeLabels: ["prediction/unreviewed"],
    close: outcome !== "watch",
  });
});

test("a bundle is one issue, and what it bundles is closed", () => {
  const dust = [1, 3, 99].map((issue) => ({ issue, group: "docs", title: "t", reason: "r" }));
  const { operations } = plan({ changes: [] }, [{ group: "docs", dust }], {
    role: "gardener",
    issues,
  });
  expect(operations.map(({ name }) => name)).toEqual([
    "bundle-docs.new",
    "bundle-docs.comment-1",
    "bundle-docs.edit-issue-1",
    "bundle-docs.comment-3",
    "bundle-docs.edit-issue-3",
  ]);
  expect(operations.slice(0, 3).map(describe)).toEqual([
    'make "Sweep up: docs" (to undo: close the new issue)',
    "comment on #1 (to undo: delete the comment)",
    "close #1 (to undo: pawl issue reopen 1)",
  ]);
  // The first of them was closed before a crash: the names of the others stay.
  const again = plan({ changes: [] }, [{ group: "docs", dust }], {
    role: "gardener",
    issues: issues.slice(1),
  });
  expect(again.operations.map(({ name }) => name)).toEqual([
    "bundle-docs.new",
    "bundle-docs.comment-3",
    "bundle-docs.edit-issue-3",
  ]);
});
