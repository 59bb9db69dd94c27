import { expect, test } from "vitest";
import type { RoleIssue } from "./facts.ts";
import { found, has, quiet } from "./finding.ts";

const DAY_MS = 86_400_000;
const issue = { number: 7, labels: ["backlog"], updatedAt: 0 } as unknown as RoleIssue;

test("an issue is quiet once nothing has changed for so many days", () => {
  expect(quiet(issue, 14 * DAY_MS - 1, 14)).toEqual([]);
  expect(quiet(issue, 14 * DAY_MS, 14)).toEqual([
    found("P4", "stale:7:0", "#7: no change for 14 days"),
  ]);
  expect([has(issue, "backlog"), has(issue, "blocked")]).toEqual([true, false]);
});
