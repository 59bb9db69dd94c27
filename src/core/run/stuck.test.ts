import { expect, test } from "vitest";
import { contextAt, kinds, testRun, testSession } from "../../../test/support/run.ts";
import { newEvidence } from "../session/evidence.ts";
import { stuck, warnOfSilence } from "./stuck.ts";

const HOUR = 3_600_000;

test("a silence is warned of once, and says whether the agent is alive", () => {
  const warned = warnOfSilence(testRun(), contextAt(HOUR));
  expect(warned.warnings.map(({ text }) => text)).toEqual(["no progress for 1h"]);
  expect(warnOfSilence(warned, contextAt(2 * HOUR))).toBe(warned);
  const evidence = { ...newEvidence(), busyAt: HOUR };
  const busy = warnOfSilence(testRun({ session: testSession({ evidence }) }), contextAt(HOUR));
  expect(busy.warnings[0]?.text).toBe("no progress for 1h, but it is alive");
});

test("the first time it is started again, the second time a person is asked", () => {
  const first = contextAt(2 * HOUR);
  const once = stuck(testRun(), first);
  expect(once.session).toMatchObject({ status: "ending", verdict: "stuck" });
  expect(once.stage.kind).toBe("working");
  expect(kinds(first.output)).toEqual(["end-session", "checkpoint"]);
  const again = stuck({ ...once, session: testSession({ epoch: 2 }) }, contextAt(4 * HOUR));
  expect(again.stage).toMatchObject({ kind: "escalated" });
  expect(again.session?.verdict).toBe("stuck");
});

test("a life that is over cannot be stuck", () => {
  const dead = testRun({ session: testSession({ status: "ended" }) });
  expect(stuck(dead, contextAt(9 * HOUR))).toBe(dead);
  expect(warnOfSilence(dead, contextAt(9 * HOUR))).toBe(dead);
});
