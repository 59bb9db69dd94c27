import { expect, test } from "vitest";
import { contextAt, kinds, testRun, testSession } from "../../../test/support/run.ts";
import { newEvidence, type Evidence } from "../session/evidence.ts";
import { look, lookDeadline, looked, notLooked } from "./look.ts";
import type { Run } from "./run.ts";

const HOUR = 3_600_000;
const knowing = (change: Partial<Evidence>): Run =>
  testRun({ session: testSession({ evidence: { ...newEvidence(), ...change } }) });

test("one look at a time, in a lane of its own", () => {
  const context = contextAt(5);
  const run = look(testRun(), context);
  expect(context.output.effects).toMatchObject([
    { key: "run:toy/42.1:look:1", lane: "run:toy/42.1:look:1", effect: { epoch: 1 } },
  ]);
  expect(lookDeadline(testRun())).toBe(15 * 60_000);
  expect(lookDeadline(run)).toBeUndefined();
});

test("nothing is looked at that does not live", () => {
  const context = contextAt();
  const dead = testRun({ session: testSession({ status: "ended" }) });
  for (const act of [look, looked, notLooked]) expect(act(dead, context)).toBe(dead);
  expect(lookDeadline(testRun({ session: undefined }))).toBeUndefined();
  expect(kinds(context.output)).toEqual([]);
});

test("what a look finds decides: nothing, a warning, or the verdict", () => {
  expect(looked(testRun(), contextAt(60_000)).warnings).toEqual([]);
  expect(looked(testRun(), contextAt(20 * 60_000)).warnings).toMatchObject([
    { text: "no progress for 20m" },
  ]);
  expect(looked(testRun(), contextAt(3 * HOUR)).session).toMatchObject({ verdict: "stuck" });
});

test("a look that failed is tried again later, and concludes nothing", () => {
  const run = knowing({ looking: true, idle: { checks: 2, lookAt: 3 } });
  const next = notLooked(run, contextAt(3 * HOUR));
  expect(next.session?.evidence).toMatchObject({
    looking: false,
    lookedAt: 3 * HOUR,
    idle: { checks: 2, lookAt: 3 * HOUR + 10_000 },
  });
  expect(lookDeadline(next)).toBe(3 * HOUR + 30_000);
  expect(notLooked(testRun(), contextAt())).toEqual(testRun());
});
