import { expect, test } from "vitest";
import type { StageMark } from "./run/stage.ts";
import { failures, landedAt, loadOver, median, statOfDay, timeIn, type RunStat } from "./stats.ts";

const DAY = "1970-01-01";

const stat = (marks: [StageMark["kind"], number][], change: Partial<RunStat> = {}): RunStat => ({
  role: "dev",
  outcome: "landed",
  askedAt: 0,
  startedAt: 10,
  endedAt: 100,
  stages: marks.map(([kind, at]) => ({ kind, at })),
  lives: [],
  crashes: 0,
  ...change,
});

const LANDED = stat([
  ["claiming", 10],
  ["working", 20],
  ["checking", 50],
  ["working", 55],
  ["checking", 60],
  ["reviewing", 70],
  ["queued", 75],
  ["landed", 95],
  ["ended", 100],
]);

test("the time between an issue and its landing is all given to its parts", () => {
  const spent = timeIn(LANDED);
  expect(spent).toEqual({ waiting: 20, working: 35, ci: 15, review: 5, queue: 20 });
  expect(Object.values(spent).reduce((a, b) => a + b)).toBe(landedAt(LANDED));
});

test("the time of stages whose marks are gone is given to their parts too", () => {
  const [first = { kind: "claiming", at: 10 }, ...rest] = LANDED.stages;
  const folded = { working: 4, checking: 3 };
  const spent = timeIn({ ...LANDED, stages: [{ ...first, folded }, ...rest] });
  expect(spent).toEqual({ waiting: 13, working: 39, ci: 18, review: 5, queue: 20 });
});

test("a check whose result was known is no CI run", () => {
  const stages = LANDED.stages.map((mark) =>
    mark.at === 60 ? { ...mark, remembered: true as const } : mark,
  );
  expect(statOfDay([{ ...LANDED, stages }], DAY, {})).toMatchObject({ ciRuns: 1 });
});

test("a day counts what landed and what did not, its CI runs and those of the queue", () => {
  const blocked = stat([["claiming", 10]], { outcome: "blocked" });
  const active = stat([["checking", 10]], { outcome: undefined, endedAt: undefined });
  const day = statOfDay([LANDED, blocked, active], DAY, { [DAY]: 4 });
  expect(day).toMatchObject({ landed: 1, notLanded: 1, leadMs: 95, ciRuns: 7 });
  expect(statOfDay([LANDED], "1970-01-02", {})).toMatchObject({ landed: 0, leadMs: undefined });
});

test("what held work up is counted by its cause, most often first", () => {
  const sentBack = stat(
    [
      ["queued", 10],
      ["working", 20],
    ],
    { outcome: "blocked", crashes: 2 },
  );
  expect(failures([LANDED, sentBack], { from: 0, to: 1000 })).toEqual([
    { cause: "agent crashed", count: 2 },
    { cause: "CI failed", count: 1 },
    { cause: "ended as blocked", count: 1 },
    { cause: "sent back by the merge queue", count: 1 },
  ]);
});

test.for([
  ["queued", "sent back by the merge queue"],
  ["checking", "CI failed"],
  ["reviewing", "changes requested"],
] as const)(
  "work that comes back from %s is counted while its agent's newer phase is read",
  ([kind, cause]) => {
    const marks: [StageMark["kind"], number][] = [
      [kind, 10],
      ["fetching", 20],
      ["publishing", 30],
    ];
    expect(failures([stat(marks)], { from: 0, to: 1000 })).toEqual([{ cause, count: 1 }]);
  },
);

test("work whose newer phase is read after it landed was not sent back", () => {
  const marks: [StageMark["kind"], number][] = [
    ["queued", 10],
    ["fetching", 20],
    ["landed", 30],
  ];
  expect(failures([stat(marks)], { from: 0, to: 1000 })).toEqual([]);
});

test("each slice says the most that were queued and alive at once in it", () => {
  const lives = [
    { from: 0, to: 30 },
    { from: 25, to: 40 },
  ];
  const other = stat(
    [
      ["queued", 80],
      ["landed", 90],
    ],
    { lives },
  );
  expect(loadOver([LANDED, other], { from: 0, to: 100, slices: 4 })).toEqual([
    { at: 0, queue: 0, sessions: 1 },
    { at: 25, queue: 0, sessions: 2 },
    { at: 50, queue: 0, sessions: 0 },
    { at: 75, queue: 2, sessions: 0 },
  ]);
});

test.for([
  [[], undefined],
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1], 2.5],
] as const)("the middle one of %j is %s", ([values, middle]) => {
  expect(median(values)).toBe(middle);
});
