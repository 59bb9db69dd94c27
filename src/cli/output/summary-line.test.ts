import { expect, test } from "vitest";
import type { StatusView } from "../../api/runs.ts";
import { textWidth } from "../../lib/text-width.ts";
import { summaryLine } from "./summary-line.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const status = {
  projects: [{ name: "toy", parallel: 3 }],
  runs: [
    { outcome: null, alive: true, needs_you: null },
    { outcome: "landed", alive: false, needs_you: null },
  ],
  queue: [{}, {}],
  waits: [{ needs_you: true }, { needs_you: false }],
  next: { project: "toy", what: "CI of #4 times out", at: "2026-03-01T12:25:00.000Z" },
} as unknown as StatusView;
const summed = {
  status,
  since: "start" as const,
  elapsedMs: 754_000,
  landed: 5,
  usd: 1.239,
  estimatedUsd: 0,
  now: NOW,
};

test("the summary says what works, waits, landed, costs, since when, and what is due next", () => {
  expect(summaryLine(summed, 160)).toBe(
    "1 of 3 at work · 2 in the queue · 5 landed · 1 needs you · $1.24 in 12 min 34 s · next: CI of #4 times out in 25 min",
  );
});

test("what matters least is left out first, and no word is cut", () => {
  expect(summaryLine(summed, 80)).toBe(
    "1 of 3 at work · 2 in the queue · 5 landed · 1 needs you · $1.24 in 12 min 34 s",
  );
  expect(summaryLine(summed, 60)).toBe("1 of 3 at work · 2 in the queue · 5 landed · 1 needs you");
  for (const columns of [20, 30, 40, 60, 80, 100, 160]) {
    expect(textWidth(summaryLine(summed, columns))).toBeLessThanOrEqual(Math.max(columns, 29));
  }
});

test("a queue that remembers only its last 50 landings says so", () => {
  expect(summaryLine({ ...summed, landed: 50 }, 160)).toContain("50+ landed");
});

test("the cost and landings of a day are labelled as such", () => {
  expect(summaryLine({ ...summed, since: "today" }, 100)).toBe(
    "1 of 3 at work · 2 in the queue · 5 landed today · 1 needs you · $1.24 today · up 12 min 34 s",
  );
});

test("money that is estimated is called an estimate, and so is a part of it", () => {
  expect(summaryLine({ ...summed, estimatedUsd: 1.239 }, 160)).toContain(
    " · $1.24 (estimate) in 12 min 34 s · ",
  );
  expect(summaryLine({ ...summed, since: "today", estimatedUsd: 0.5 }, 160)).toContain(
    " · $1.24 ($0.50 estimated) today · ",
  );
});

test("a run that waits for a person keeps its place, also while its agent lives", () => {
  const waiting = { outcome: null, alive: true, needs_you: "which?" };
  const held = { ...status, runs: [...status.runs, waiting], next: null } as unknown as StatusView;
  expect(summaryLine({ ...summed, status: held }, 160)).toBe(
    "1 of 3 at work, 1 waits for you · 2 in the queue · 5 landed · $1.24 in 12 min 34 s",
  );
  const more = [{ needs_you: true }, { needs_you: true }, { needs_you: true }];
  const asked = { ...held, waits: more } as unknown as StatusView;
  expect(summaryLine({ ...summed, status: asked }, 160)).toContain(" · 2 more need you · ");
});
