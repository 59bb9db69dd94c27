import { expect, test } from "vitest";
import { projectName } from "../ids.ts";
import { formulaOf, newSchedules, scheduleDeadline, type ScheduleEntry } from "./schedule.ts";

const entry = (change: Partial<ScheduleEntry>, enabled = true): ScheduleEntry => ({
  schedule: {
    name: "n",
    when: { kind: "every", everyMs: 1 },
    work: { kind: "formula", formula: "f" },
    enabled,
    jitterMs: 0,
    leaseMs: 10,
    memoryMb: 2000,
  },
  nextAt: undefined,
  dueAt: undefined,
  lease: undefined,
  last: undefined,
  count: 0,
  problem: undefined,
  ...change,
});
test("a role's work is the formula of that role", () => {
  expect(formulaOf({ kind: "role", role: "gardener" })).toBe("run-gardener");
  expect(formulaOf({ kind: "formula", formula: "sweep" })).toBe("sweep");
});

const deadline = (...entries: ScheduleEntry[]): number | undefined =>
  scheduleDeadline({ ...newSchedules(projectName("toy")), entries });

test("the next deadline is the soonest instant or end of a lease; what is off or looked at has none", () => {
  expect(deadline()).toBeUndefined();
  expect(deadline(entry({ nextAt: 9 }), entry({ nextAt: 5 }))).toBe(5);
  expect(deadline(entry({ nextAt: 5 }, false))).toBeUndefined();
  expect(deadline(entry({ nextAt: 5, dueAt: 5 }))).toBeUndefined();
  expect(deadline(entry({ nextAt: 9, lease: { key: "k", since: 0, until: 7 } }))).toBe(7);
});
