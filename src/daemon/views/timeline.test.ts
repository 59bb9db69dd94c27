import { expect, test } from "vitest";
import type { Event } from "../../core/event.ts";
import { testRun } from "../../../test/support/run.ts";
import { timelineOf } from "./timeline.ts";

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const spool = (seconds: number, kind: string): Event => ({
  kind: "spool-received",
  at: seconds * 1000,
  epoch: 1,
  name: `${seconds}`,
  text: JSON.stringify({ v: 1, kind, background: 0 }),
});

test("lives and turns begin and end as they did, and what still goes on has no end", () => {
  const spawned = { kind: "session-spawned", pane: {}, process: {}, phaseLink: "linked", told: [] };
  const events = [
    { ...spawned, at: 1000, epoch: 1 },
    spool(2, "prompt"),
    spool(5, "stop"),
    spool(6, "prompt"),
    { kind: "session-exited", at: 9000, epoch: 1, exit: undefined },
    { ...spawned, at: 10_000, epoch: 2 },
  ] as Event[];
  const { spans, to, is_cut } = timelineOf(testRun(), events);
  expect([to, is_cut]).toEqual([null, true]);
  expect(spans.map(({ row, from, to: end, tone }) => [row, from, end, tone])).toEqual([
    ["life", at(1), at(9), "bad"],
    ["turn", at(2), at(5), "plain"],
    ["turn", at(6), at(9), "plain"],
    ["life", at(10), null, "plain"],
  ]);
});

test("what people did is told with their names", () => {
  const events: Event[] = [
    { kind: "run-held", at: 1000, by: "Ada" },
    { kind: "run-released", at: 2000, by: "Ada" },
  ];
  expect(timelineOf(testRun(), events).spans.map(({ text }) => text)).toEqual([
    "held by Ada",
    "released by Ada",
  ]);
});
