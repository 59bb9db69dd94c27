import { expect, test } from "vitest";
import { AT, DAY_MS, MACHINE, roleFacts, roleIssue } from "../../../test/support/role-facts.ts";
import type { RoleFacts, RoleIssue } from "./facts.ts";
import { signals } from "./signals.ts";

const HOUR_MS = 3_600_000;
const names = (change: Partial<RoleFacts>): string[] =>
  signals(roleFacts(change)).map(({ level, name }) => `${level} ${name}`);
const quiet = (label: string, days: number): RoleIssue =>
  roleIssue(1, { labels: [label], updatedAt: AT - days * DAY_MS });
const check = (passed: boolean, gate?: string, hours = 1): RoleFacts["checks"][number] => ({
  passed,
  gate,
  at: AT - hours * HOUR_MS,
});

test.each<[string, Partial<RoleFacts>]>([
  ["P2 blocked-rate", { runs: { active: 0, landed: 2, blocked: 2 } }],
  ["P1 memory", { machine: { ...MACHINE, freeMb: 1999 } }],
  ["P1 disk", { machine: { ...MACHINE, diskUsedPercent: 81 } }],
  ["P2 load", { machine: { ...MACHINE, loadPerCore: 3.1 } }],
  [`P4 stale:1:${AT - 7 * DAY_MS}`, { issues: [quiet("action", 7)] }],
  [`P4 stale:1:${AT - 14 * DAY_MS}`, { issues: [quiet("backlog", 14)] }],
  [`P4 stale:1:${AT - 30 * DAY_MS}`, { issues: [quiet("vision", 30)] }],
])("the predictor is shown %s", (expected, change) => {
  expect(names(change)).toEqual([expected]);
});

test("predictions are no sign of anything, however old", () => {
  expect(names({ issues: [quiet("prediction/backlog", 90)] })).toEqual([]);
});

test("red checks are a sign where they are many, the same, or all there is of a day", () => {
  const green = check(true);
  expect(names({ checks: [check(false, "a"), check(false, "b"), green, green] })).toEqual([]);
  const many = [check(false, "a"), check(false, "b"), green, green, green];
  expect(names({ checks: many })).toEqual(["P2 red-checks"]);
  const same = [...Array(3).fill(check(false, "test")), ...Array(7).fill(green)];
  expect(names({ checks: same })).toEqual(["P2 red-gate:test"]);
  const none = [check(false, "a"), check(false, "b"), check(false, "c"), check(true, "", 25)];
  expect(names({ checks: none })).toEqual(["P2 no-green"]);
  // What is older than the last twenty says nothing any more.
  expect(names({ checks: [...Array(20).fill(green), ...same] })).toEqual([]);
});

test("CI that was red and fixed, sessions that crash, and errors of the log are signs", () => {
  const session = (crashes: number, redFixed: boolean) => ({ run: "1.1", crashes, redFixed });
  expect(names({ sessions: [session(1, true), session(2, true), session(0, true)] })).toEqual([
    "P3 red-fixed",
    "P2 crashes",
  ]);
  expect(names({ errors: ["a", "b", "c", "d", "e"] })).toEqual(["P3 log-errors"]);
  expect(names({ sessions: [session(2, true)], errors: ["a"] })).toEqual([]);
});
