import { expect, test } from "vitest";
import { AT, DAY_MS, MACHINE, roleFacts, roleIssue } from "../../../test/support/role-facts.ts";
import type { RoleFacts, RoleIssue } from "./facts.ts";
import { preflight } from "./preflight.ts";
import type { StandingRole } from "./result.ts";

const names = (role: StandingRole, change: Partial<RoleFacts>): string[] =>
  preflight(role, roleFacts(change)).map(({ level, name }) => `${level} ${name}`);

test.each<StandingRole>(["gardener", "supervisor", "planner", "predictor"])(
  "a healthy factory gives the %s nothing to do",
  (role) => {
    expect(preflight(role, roleFacts({ issues: [roleIssue(1)] }))).toEqual([]);
  },
);

test.each<[string, RoleIssue[]]>([
  [
    "P3 duplicate:1:2",
    [roleIssue(1, { title: "Fix the date parser" }), roleIssue(2, { title: "Fix date parser" })],
  ],
  ["P3 bare:1", [roleIssue(1, { bodyLength: 20, boxes: 0, hasCriteria: false })]],
  ["P3 bare:1", [roleIssue(1, { bodyLength: 5000, boxes: 0, hasCriteria: false })]],
  ["P3 large:1", [roleIssue(1, { boxes: 13 })]],
  [`P4 stale:1:${AT - 14 * DAY_MS}`, [roleIssue(1, { updatedAt: AT - 14 * DAY_MS })]],
  ["P3 cycle:1,2", [roleIssue(1, { unmet: [2] }), roleIssue(2, { unmet: [1] })]],
  ["P2 blocker:1:2", [roleIssue(1, { unmet: [2] }), roleIssue(2, { labels: [] })]],
  [
    "P3 old-dependency:1:2",
    [roleIssue(1, { unmet: [2] }), roleIssue(2, { createdAt: AT - 31 * DAY_MS })],
  ],
  ["P3 blocked:1", [roleIssue(1, { labels: ["blocked"] })]],
  ["P4 tech-debt:1", [roleIssue(1, { labels: ["tech-debt"] })]],
])("the gardener is shown %s", (expected, issues) => {
  expect(names("gardener", { issues })).toEqual([expected]);
});

test("an issue that is being worked on is not groomed", () => {
  const taken = roleIssue(1, { labels: ["in-progress"], bodyLength: 0, boxes: 0, updatedAt: 0 });
  expect(names("gardener", { issues: [taken] })).toEqual([]);
});

test.each<[string, Partial<RoleFacts>]>([
  ["P0 memory", { machine: { ...MACHINE, freeMb: 499 } }],
  ["P0 memory", { machine: { ...MACHINE, freeMb: 1999, swapUsedMb: 3001 } }],
  ["P1 disk", { machine: { ...MACHINE, diskUsedPercent: 81 } }],
  ["P2 queue:target red", { queue: { waiting: 1, stopped: "target red" } }],
  ["P2 stalled", { issues: [roleIssue(1)], runs: { active: 0, landed: 0, blocked: 0 } }],
  ["P4 leftover:dev-1", { leftovers: ["dev-1"] }],
  ["P4 journal", { machine: { ...MACHINE, journalMb: 201 } }],
  ["P3 cycle:1,2", { issues: [roleIssue(1, { unmet: [2] }), roleIssue(2, { unmet: [1] })] }],
  [
    "P3 old-dependency:1:2",
    { issues: [roleIssue(1, { unmet: [2] }), roleIssue(2, { createdAt: AT - 31 * DAY_MS })] },
  ],
  [`P3 pr:7:${AT - DAY_MS}`, { prs: [{ number: 7, title: "x", updatedAt: AT - DAY_MS }] }],
])("the supervisor is shown %s", (expected, change) => {
  expect(names("supervisor", change)).toEqual([expected]);
});

test.each<[string, Partial<RoleFacts>]>([
  ["500 MB free", { machine: { ...MACHINE, freeMb: 500 } }],
  ["3 GB swapped out beside much that is free", { machine: { ...MACHINE, swapUsedMb: 9000 } }],
  ["a disk that is 80 % full", { machine: { ...MACHINE, diskUsedPercent: 80 } }],
  [
    "blocked issues without a run",
    {
      issues: [roleIssue(1, { labels: ["backlog", "blocked"] })],
      runs: { active: 0, landed: 0, blocked: 1 },
    },
  ],
  ["a PR of the last hour", { prs: [{ number: 7, title: "x", updatedAt: AT - 3_600_000 }] }],
])("the supervisor is not shown %s", (_what, change) => {
  expect(names("supervisor", change)).toEqual([]);
});

test("the planner is shown predictions, and VISION.md once until it changes", () => {
  const issues = [roleIssue(3, { labels: ["prediction/unreviewed"] })];
  expect(names("planner", { issues, vision: "abc" })).toEqual([
    "P3 prediction:3",
    "P4 vision:abc:empty",
  ]);
});

test("the supervisor sees letters to it and workspaces that are no longer used", () => {
  const letter = { id: "7", from: "operator", subject: "Re: disk", body: "Ignore it." };
  expect(names("supervisor", { letters: [letter], staleWorkspaces: ["dev-3"] })).toEqual([
    "P4 stale-workspace:dev-3",
    "P3 letter:7",
  ]);
});
