import { expect, test } from "vitest";
import {
  clockSeen,
  filesMoved,
  newEvidence,
  shiftEvidence,
  sighted,
  type Sighting,
} from "./evidence.ts";

const sighting = (change: Partial<Sighting> = {}): Sighting => ({
  cpuMs: undefined,
  running: undefined,
  clock: undefined,
  percent: undefined,
  files: undefined,
  shown: undefined,
  ...change,
});

test.each<[string, number, boolean]>([
  ["a full core", 10_000, true],
  ["a fifth of a core", 2_000, true],
  ["a spinner", 300, false],
  ["nothing", 0, false],
  ["less than before, because children went", -500, false],
])("defect 16: %s of CPU in ten seconds is busy: %s", (_, usedMs, busy) => {
  const before = sighted(newEvidence(), sighting({ cpuMs: 1000 }), 0);
  expect(before.busyAt).toBeUndefined();
  const after = sighted(before, sighting({ cpuMs: 1000 + usedMs }), 10_000);
  expect(after.busyAt).toBe(busy ? 10_000 : undefined);
});

test("a process that waits for a core is busy, also with little CPU time", () => {
  expect(sighted(newEvidence(), sighting({ cpuMs: 0, running: true }), 7).busyAt).toBe(7);
  expect(sighted(newEvidence(), sighting({ cpuMs: 0, running: false }), 7).busyAt).toBeUndefined();
});

test("a clock that stands still keeps the time of its last advance", () => {
  const first = clockSeen(undefined, "10:00:00", 5);
  const still = clockSeen(first, "10:00:00", 50);
  const unseen = clockSeen(still, undefined, 70);
  expect([first, still, unseen]).toEqual(Array(3).fill({ shown: "10:00:00", advancedAt: 5 }));
  expect(clockSeen(unseen, "10:00:01", 90)).toEqual({ shown: "10:00:01", advancedAt: 90 });
  expect(clockSeen(first, "09:00:00", 90)).toEqual({ shown: "09:00:00", advancedAt: 5 });
});

test("what a look could not see changes nothing", () => {
  const known = sighted(newEvidence(), sighting({ cpuMs: 1, clock: "10:00:00", files: "a" }), 1);
  expect(sighted(known, sighting(), 2)).toEqual(known);
});

test("files have moved only if they were seen before", () => {
  const known = sighted(newEvidence(), sighting({ files: "a" }), 1);
  expect(filesMoved(newEvidence(), sighting({ files: "a" }))).toBe(false);
  expect(filesMoved(known, sighting({ files: "a" }))).toBe(false);
  expect(filesMoved(known, sighting())).toBe(false);
  expect(filesMoved(known, sighting({ files: "b" }))).toBe(true);
});

test("a clock that jumped moves what silence is measured from, but no account's limit", () => {
  const evidence = {
    ...sighted(newEvidence(), sighting({ cpuMs: 1, clock: "10:00:00" }), 1),
    stopped: { at: 1, background: 0 },
    idle: { checks: 1, lookAt: 2 },
    limit: { until: 9, reason: "r" },
    busyAt: 3,
    lookedAt: 4,
  };
  expect(shiftEvidence(evidence, 100)).toMatchObject({
    stopped: { at: 101 },
    idle: { checks: 1, lookAt: 102 },
    limit: { until: 9 },
    cpu: { at: 101 },
    busyAt: 103,
    clock: { advancedAt: 101 },
    lookedAt: 104,
  });
  expect(shiftEvidence(newEvidence(), 100)).toEqual(newEvidence());
});
