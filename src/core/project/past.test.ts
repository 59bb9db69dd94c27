import { expect, test } from "vitest";
import { runId } from "../ids.ts";
import { historyKey, pastOf, remember } from "./past.ts";
import type { ActiveRun, Project } from "./project.ts";

const start = {
  active: [{ run: runId("7.2"), issue: 7, slot: 0 }],
  leaving: [],
  backlog: [{ number: 9, title: "", labels: [], createdAt: 0, unmet: [] }],
  history: { "42": { attempts: 2, epoch: 5 } },
} as unknown as Project;

test("attempts are counted by issue, or by the identity of a task", () => {
  const task = { key: "t", identity: "review-7", role: "review", takesPlace: false } as const;
  const active: ActiveRun = { run: runId("review-7.1"), slot: 0, task };
  expect(historyKey({ issue: 42 })).toBe("42");
  expect(historyKey(active)).toBe("review-7");
  expect(pastOf(start, "42")).toEqual({ attempts: 2, epoch: 5 });
  expect(pastOf(start, "43")).toEqual({ attempts: 0, epoch: 0 });
});

test("however many issues there were, a bounded number is remembered and no name is given twice", () => {
  let project = start;
  for (let number = 1; number <= 700; number += 1) {
    project = remember(project, String(number), { attempts: (number % 3) + 1, epoch: number % 7 });
    project = remember(project, `review-${number}`, { attempts: 1, epoch: 1 });
  }
  project = remember(project, "gardener", { attempts: 900, epoch: 900 });
  expect(Object.keys(project.history).length).toBeLessThanOrEqual(500);
  for (let number = 1; number <= 700; number += 1) {
    const past = pastOf(project, String(number));
    expect(past.attempts).toBeGreaterThanOrEqual((number % 3) + 1);
    expect(past.epoch).toBeGreaterThanOrEqual(number % 7);
    expect(pastOf(project, `review-${number}`)).toEqual({ attempts: 1, epoch: 1 });
  }
  // At work, in the backlog, or without a number: remembered each.
  expect(["7", "9", "gardener"].filter((key) => !(key in project.history))).toEqual([]);
  expect(pastOf(project, "701")).toEqual({ attempts: 0, epoch: 0 });
  expect(pastOf(project, "action-3")).toEqual({ attempts: 0, epoch: 0 });
});
