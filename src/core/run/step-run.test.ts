// Which events a run accepts. What follows from each event is told in the transcripts.
import { expect, test } from "vitest";
import { contextAt, requested, stepped, testRun, testSession } from "../../../test/support/run.ts";
import { emptyOutput } from "../effect.ts";
import type { Event } from "../event.ts";
import { asked, escalate } from "./escalate.ts";
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

const DIALOG = { id: "q1", text: "Overwrite?", choices: ["Yes", "No"] };

test("a retry resumes a run whose dialog went with its session, and answers no dialog that is open", () => {
  const retry = { kind: "run-retried", at: 9, by: "ada" } as const;
  const dialog = asked(testRun({ session: testSession() }), DIALOG, contextAt());
  expect(stepped(dialog, retry).run.stage).toEqual(dialog.stage);
  const stopping = stepped(dialog, { kind: "run-stopped", at: 1, by: "ada" }).run;
  expect(stepped(stopping, retry).run.stage.kind).toBe("working");
  const stopped = stepped(stopping, { kind: "session-ended", at: 2, epoch: 1 }).run;
  expect(stopped.stage.kind).toBe("escalated");
  expect(stepped(stopped, retry).run).toMatchObject({ epoch: 2, stage: { kind: "working" } });
});

test("an answer to an earlier question does not answer the one that is open now", () => {
  const open = asked(testRun({ session: testSession() }), DIALOG, contextAt(5));
  const answer = { kind: "escalation-answered", at: 9, by: "ada", text: "1" } as const;
  expect(stepped(open, { ...answer, since: 4 }).run.stage).toEqual(open.stage);
  expect(stepped(open, { ...answer, since: 5 }).run.stage.kind).toBe("working");
  expect(stepped(open, answer).run.stage.kind).toBe("working");
});

test("a retry takes the only choice of a turn that failed", () => {
  const failure = { id: "failure-ask", text: "ask: unknown", choices: ["Try again"] };
  const failed = asked(testRun({ session: testSession() }), failure, contextAt());
  const { run } = stepped(failed, { kind: "run-retried", at: 9, by: "ada" });
  expect(run.stage.kind).toBe("working");
  expect(run.messages).toMatchObject([{ kind: "answer" }]);
  expect(run.messages[0]?.text).toContain("Try again");
});

test("a retry of a run whose agent asked is not told as a person's answer to the question", () => {
  const open = escalate(
    testRun({ session: testSession() }),
    { reason: "which colour?" },
    contextAt(),
  );
  const { run } = stepped(open, { kind: "run-retried", at: 9, by: "ada" });
  expect(run.messages).toMatchObject([{ kind: "answer", question: "none" }]);
  expect(run.messages[0]?.text).toMatch(/^A person asked you to continue\./);
});

test("a checkpoint is remembered, and a missing workspace does not erase the last one", () => {
  const saved = { kind: "saved", commit: "c1", skipped: [] } as never;
  const { run } = stepped(testRun(), { kind: "checkpoint-made", at: 0, outcome: saved });
  const absent = stepped(run, { kind: "checkpoint-made", at: 0, outcome: { kind: "absent" } });
  expect(absent.run.checkpoint).toBe("c1");
  expect(contextAt().output).toEqual(absent.output);
});
