import { expect, test } from "vitest";
import { contextAt, escalated, HEAD, testRun, testSession } from "../../../test/support/run.ts";
import { due } from "./due.ts";

const dead = testSession({ status: "ended", verdict: "crashed" });
const LATE = 1_000_000_000;

test("a back-off that is over starts the successor, unless a person has stopped or holds the run", () => {
  const backing = testRun({ session: dead, respawnAt: 5 });
  expect(due(backing, contextAt(5))).toMatchObject({ epoch: 2, respawnAt: undefined });
  const stopped = due({ ...backing, stopped: { by: "ada", at: 0 } }, contextAt(5));
  expect(stopped).toMatchObject({ epoch: 1, respawnAt: undefined });
});

test("what is not due yet is left alone", () => {
  const run = testRun({ stage: { kind: "reviewing", head: HEAD, deadline: 10 } });
  expect(due(run, contextAt(9))).toBe(run);
});

test("an overdue check, an overdue review and an unanswered question each take their course", () => {
  const check = { kind: "checking", head: HEAD, key: "k", deadline: 5 } as const;
  expect(due(testRun({ stage: check }), contextAt(5)).messages[0]?.kind).toBe("ci-timeout");
  const review = { kind: "reviewing", head: HEAD, deadline: 5 } as const;
  expect(due(testRun({ stage: review }), contextAt(5)).messages[0]?.kind).toBe("review-timeout");
  const asked = testRun({ stage: escalated(), session: dead });
  expect(due(asked, contextAt(200)).outcome?.kind).toBe("blocked");
});

test("a life that is over ends; a person is asked only where the agent had the ball", () => {
  expect(due(testRun(), contextAt(LATE))).toMatchObject({
    stage: { kind: "escalated" },
    session: { status: "ending", verdict: "timeout" },
  });
  const queued = { kind: "queued", head: HEAD } as const;
  expect(due(testRun({ stage: queued }), contextAt(LATE))).toMatchObject({
    stage: queued,
    session: { status: "ending", verdict: "timeout" },
  });
});

test("a reminder that is older than the end of the life is due with it", () => {
  const run = testRun({ stage: escalated() });
  const late = due(run, contextAt(150));
  expect(late.stage).toMatchObject({ escalation: { remindAt: undefined } });
  const config = { ...run.config, limits: { ...run.config.limits, lifeMs: 120 } };
  const both = due({ ...run, config }, contextAt(150));
  expect(both.session?.status).toBe("ending");
  expect(both.stage).toMatchObject({ escalation: { remindAt: undefined } });
});
