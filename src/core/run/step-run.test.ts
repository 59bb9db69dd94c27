// Which events a run accepts. What follows from each event is told in the transcripts.
import { expect, test } from "vitest";
import { contextAt, requested, stepped, testRun, testSession } from "../../../test/support/run.ts";
import { emptyOutput } from "../effect.ts";
import type { Event } from "../event.ts";
import { stepRun } from "./step-run.ts";

test("only a request makes a run, and it makes it once", () => {
  const { run } = stepped(undefined, requested());
  expect(stepped(run, requested()).run).toBe(run);
  expect(stepRun(undefined, { kind: "issue-settled", at: 0 }, emptyOutput())).toBeUndefined();
});

test("an event of a kind this version does not know is put before a person", () => {
  const { run } = stepped(testRun(), { kind: "agent-levitated", at: 0 } as unknown as Event);
  expect(run.stage).toMatchObject({
    escalation: { reason: "received an event that this version does not know: agent-levitated" },
  });
});

test("a person's stop ends the session and outlives every piece of news", () => {
  const { run } = stepped(testRun(), { kind: "run-stopped", at: 1, by: "ada" });
  const ended = stepped(run, { kind: "session-ended", at: 2, epoch: 1 }).run;
  expect(ended).toMatchObject({ epoch: 1, session: { verdict: "killed" }, stopped: { by: "ada" } });
});

test("a stop during the back-off ends the back-off", () => {
  const backing = testRun({
    session: testSession({ status: "ended", verdict: "crashed" }),
    respawnAt: 9,
  });
  expect(stepped(backing, { kind: "run-stopped", at: 1, by: "ada" }).run.respawnAt).toBeUndefined();
});

test("a retry during the back-off starts the successor at once", () => {
  const session = testSession({ status: "ended", verdict: "crashed" });
  const backing = testRun({ session, respawnAt: 9, crashes: [{ at: 0, head: undefined }] });
  expect(stepped(backing, { kind: "run-retried", at: 1, by: "ada" }).run).toMatchObject({
    epoch: 2,
    crashes: [],
  });
});

test("a checkpoint is remembered, and a missing workspace does not erase the last one", () => {
  const saved = { kind: "saved", commit: "c1", skipped: [] } as never;
  const { run } = stepped(testRun(), { kind: "checkpoint-made", at: 0, outcome: saved });
  const absent = stepped(run, { kind: "checkpoint-made", at: 0, outcome: { kind: "absent" } });
  expect(absent.run.checkpoint).toBe("c1");
  expect(contextAt().output).toEqual(absent.output);
});
