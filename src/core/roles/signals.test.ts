import { expect, test } from "vitest";
import type { RoleFacts, RoleIssue } from "./facts.ts";
import { signals } from "./signals.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AT = 100 * DAY_MS;
const MACHINE = {
  freeMb: 8000,
  swapUsedMb: 0,
  diskUsedPercent: 20,
  loadPerCore: 0.5,
  journalMb: 5,
};
const names = (change: Partial<RoleFacts>): string[] =>
  signals({
    at: AT,
    issues: [],
    prs: [],
    runs: { active: 1, landed: 0, blocked: 0 },
    queue: { waiting: 0, stopped: undefined },
    checks: [],
    machine: MACHINE,
    leftovers: [],
    vision: undefined,
    agents: undefined,
    ...change,
  }).map(({ level, name }) => `${level} ${name}`);
const quiet = (label: string, days: number): RoleIssue => ({
  number: 1,
  title: "t",
  labels: [label],
  createdAt: 0,
  updatedAt: AT - days * DAY_MS,
  unmet: [],
  dependsOn: [],
  bodyLength: 1,
  boxes: 0,
});
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
