import { expect, test } from "vitest";
import type { IssueFacts } from "./backlog.ts";
import { digestOf } from "./digest.ts";

const issue = (number: number, labels: string[], unmet: number[] = []): IssueFacts => ({
  number,
  title: `t${number}`,
  labels,
  createdAt: 0,
  unmet,
});

test("a digest counts what is ready, waits and is blocked, and names rings", () => {
  const backlog = [
    issue(1, ["backlog"]),
    issue(2, ["backlog"], [3]),
    issue(3, ["backlog"], [2]),
    issue(4, ["backlog", "blocked"]),
    issue(5, ["bug"]),
  ];
  expect(digestOf({ backlog })).toEqual({
    open: 5,
    ready: [1],
    waiting: 2,
    blocked: 1,
    blockedFirst: [{ number: 4, title: "t4" }],
    rings: [[2, 3]],
    isAnyAsked: true,
  });
});

test("an issue whose last agent waits for another open one is not ready", () => {
  const backlog = [issue(1, ["backlog"]), issue(2, ["bug"])];
  expect(digestOf({ backlog, waits: { "1": [2] } })).toMatchObject({ ready: [], waiting: 1 });
  expect(digestOf({ backlog, waits: { "1": [7] } })).toMatchObject({ ready: [1], waiting: 0 });
});

test("of many blocked issues the first fifty are named, and all are counted", () => {
  const backlog = Array.from({ length: 60 }, (_, at) => issue(at + 1, ["backlog", "blocked"]));
  const { blocked, blockedFirst } = digestOf({ backlog });
  expect([blocked, blockedFirst.length]).toEqual([60, 50]);
});
