import { expect, test } from "vitest";
import { contextAt, HEAD, testRun, testSession } from "../../../test/support/run.ts";
import { newEvidence } from "../session/evidence.ts";
import { progressed, stirred, withEvidence } from "./progress.ts";

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
  const seen = stirred(testRun({ session: testSession({ evidence: stopped }) }), contextAt(9));
  expect(seen.session?.evidence.idle).toEqual({ checks: 0, lookAt: 10_009 });
  const busy = { ...stopped, stopped: undefined };
  const works = stirred(testRun({ session: testSession({ evidence: busy }) }), contextAt(9));
  expect(works.session?.evidence.idle).toBeUndefined();
});
