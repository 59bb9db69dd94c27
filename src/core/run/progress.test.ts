import { expect, test } from "vitest";
import { HEAD, contextAt, testMessage, testRun, testSession } from "../../../test/support/run.ts";
import { newEvidence, type Evidence } from "../session/evidence.ts";
import {
  patience,
  progressed,
  silenceDeadline,
  silenceOf,
  noteActivity,
  withEvidence,
} from "./progress.ts";
import { testConfig } from "../../../test/support/config.ts";
import type { Run } from "./run.ts";

const waited = testSession({ evidence: { ...newEvidence(), warned: true, strikes: 2 } });

test("progress is a sign of life too, and what was wrong with the silence is forgotten", () => {
  const { session } = progressed(testRun({ session: waited }), contextAt(9));
  expect(session).toMatchObject({ lastSeen: 9, lastProgress: 9 });
  expect(session?.evidence).toMatchObject({ warned: false, strikes: 0 });
});

test("the longest pause an agent came back from is remembered; waiting for others is none", () => {
  const once = progressed(testRun(), contextAt(500));
  expect(progressed(once, contextAt(600)).longestPauseMs).toBe(500);
  const queued = testRun({ stage: { kind: "queued", head: HEAD } });
  expect(progressed(queued, contextAt(500)).longestPauseMs).toBe(0);
});

test("a life that is over makes no progress and takes no evidence", () => {
  const dead = testRun({ session: testSession({ status: "ended" }) });
  expect(progressed(dead, contextAt(9))).toBe(dead);
  expect(withEvidence(dead, { warned: true })).toBe(dead);
});

test("a file that is seen after the turn has ended does not make a stopped agent a working one", () => {
  const idle = { checks: 2, lookAt: 5 };
  const stopped = { ...newEvidence(), idle, stopped: { at: 1, background: 0 } };
  const seen = noteActivity(testRun({ session: testSession({ evidence: stopped }) }), contextAt(9));
  expect(seen.session?.evidence.idle).toEqual({ checks: 0, lookAt: 10_009 });
  const busy = { ...stopped, stopped: undefined };
  const works = noteActivity(testRun({ session: testSession({ evidence: busy }) }), contextAt(9));
  expect(works.session?.evidence.idle).toBeUndefined();
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { limits } = testConfig();

const knowing = (change: Partial<Evidence>): Partial<Run> => ({
  session: testSession({ evidence: { ...newEvidence(), ...change } }),
});

test.each([
  { what: "an unknown agent", pauseMs: 0, warnMs: 15 * MINUTE, stuckMs: 2 * HOUR },
  { what: "pauses of 10 min", pauseMs: 10 * MINUTE, warnMs: 20 * MINUTE, stuckMs: 2 * HOUR },
  { what: "pauses of 90 min", pauseMs: 90 * MINUTE, warnMs: HOUR, stuckMs: 3 * HOUR },
  { what: "pauses of days", pauseMs: 72 * HOUR, warnMs: HOUR, stuckMs: 8 * HOUR },
])("$what: the agent is given its time, within bounds", ({ pauseMs, warnMs, stuckMs }) => {
  expect(patience(limits, pauseMs)).toEqual({ warnMs, stuckMs });
});

test.each<{ what: string; run: Partial<Run>; quiet: number; alive: number }>([
  { what: "its start", run: {}, quiet: 0, alive: 0 },
  {
    what: "what it was last told",
    run: { messages: [testMessage({ at: 50 })] },
    quiet: 50,
    alive: 50,
  },
  {
    what: "the end of a limit of its account",
    run: knowing({ limit: { until: 70, reason: "" } }),
    quiet: 70,
    alive: 70,
  },
  { what: "CPU that its processes used", run: knowing({ busyAt: 80 }), quiet: 0, alive: 80 },
  {
    what: "a clock that advanced",
    run: knowing({ clock: { shown: "10:00:00", advancedAt: 90 } }),
    quiet: 0,
    alive: 90,
  },
])("silence counts from $what", ({ run, quiet, alive }) => {
  expect(silenceOf(testRun(run))).toEqual({
    warnAt: quiet + 15 * MINUTE,
    stuckAt: alive + 2 * HOUR,
  });
});

test.each<[string, Partial<Run>]>([
  ["no session", { session: undefined }],
  ["an ended session", { session: testSession({ status: "ended" }) }],
  ["waiting for CI", { stage: { kind: "checking", head: HEAD, key: "k", deadline: undefined } }],
  ["a branch that is being fetched", { stage: { kind: "fetching", ordinal: 1 } }],
  ["a held session", { held: { by: "ada", at: 0 } }],
  ["an attached person", { session: testSession({ attached: true }) }],
  ["work that is over", { outcome: { kind: "landed", commit: HEAD } }],
])("%s is no silence", (_, change) => {
  expect(silenceOf(testRun(change))).toBeUndefined();
  expect(silenceDeadline(testRun(change))).toBeUndefined();
});

test("after the warning the next look is due when it would be stuck, and never at once again", () => {
  expect(silenceDeadline(testRun())).toBe(15 * MINUTE);
  expect(silenceDeadline(testRun(knowing({ warned: true })))).toBe(2 * HOUR);
  const looked = knowing({ warned: true, lookedAt: 3 * HOUR });
  expect(silenceDeadline(testRun(looked))).toBe(3 * HOUR + 30_000);
});
