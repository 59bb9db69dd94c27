import { expect, test } from "vitest";
import { HEAD, contextAt, escalated, testRun, testSession } from "../../../test/support/run.ts";
import { due, runDeadline, shiftDeadlines } from "./deadlines.ts";
import { lifeDeadline } from "./run.ts";
import type { Stage } from "./stage.ts";

const clearing = { issueSettled: false, sessionGone: false, workspaceGone: false };
const landed: Stage = { kind: "landed", commit: HEAD, exitBy: 60, clearing };
const gone = testSession({ status: "ended" });

test.each<[Stage, number | undefined]>([
  [{ kind: "working" }, undefined],
  [{ kind: "queued", head: HEAD }, undefined],
  [{ kind: "checking", head: HEAD, key: "k", deadline: undefined }, undefined],
  [{ kind: "checking", head: HEAD, key: "k", deadline: 30 }, 30],
  [{ kind: "reviewing", head: HEAD, deadline: 40 }, 40],
  [escalated(), 100],
  [landed, undefined],
])("without a life, %j is due at %s", (stage, due) => {
  expect(runDeadline(testRun({ stage, session: gone }))).toBe(due);
});

test("a leave that is being ended, or has ended, is not due any more", () => {
  const due = (status: "live" | "ending" | "ended"): number | undefined => {
    const outcome = { kind: "landed", commit: HEAD } as const;
    return runDeadline(testRun({ stage: landed, outcome, session: testSession({ status }) }));
  };
  expect([due("live"), due("ending"), due("ended")]).toEqual([60, undefined, undefined]);
});

test("the soonest of several deadlines counts", () => {
  expect(runDeadline(testRun({ stage: escalated(), respawnAt: 7, session: gone }))).toBe(7);
});

test("a life has a longest duration, unless a person is there or the work is over", () => {
  const { lifeMs } = testRun().config.limits;
  expect(lifeDeadline(testRun())).toBe(lifeMs);
  expect(lifeDeadline(testRun({ held: { by: "ada", at: 0 } }))).toBeUndefined();
  expect(lifeDeadline(testRun({ session: testSession({ attached: true }) }))).toBeUndefined();
  expect(lifeDeadline(testRun({ session: gone }))).toBeUndefined();
  expect(lifeDeadline(testRun({ outcome: { kind: "closed", why: "w" } }))).toBeUndefined();
});

test.each<Stage>([
  { kind: "checking", head: HEAD, key: "k", deadline: 30 },
  { kind: "reviewing", head: HEAD, deadline: 40 },
  escalated(),
  landed,
])("a clock that jumped moves the deadline of %j by the gap", (stage) => {
  const run = testRun({ stage, session: testSession() });
  expect(runDeadline(shiftDeadlines(run, 1000))).toBe((runDeadline(run) ?? 0) + 1000);
});

test("a jump moves back-off and life, and leaves what is not set alone", () => {
  const run = shiftDeadlines(testRun({ respawnAt: 5 }), 1000);
  expect([run.respawnAt, run.session?.startedAt]).toEqual([1005, 1000]);
  const stage: Stage = { kind: "checking", head: HEAD, key: "k", deadline: undefined };
  expect(shiftDeadlines(testRun({ stage, session: gone }), 1000).stage).toEqual(stage);
});

const deadDue = testSession({ status: "ended", verdict: "crashed" });
const LATE = 1_000_000_000;

test("a back-off that is over starts the successor, unless a person has stopped or holds the run", () => {
  const backing = testRun({ session: deadDue, respawnAt: 5 });
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
  const asked = testRun({ stage: escalated(), session: deadDue });
  expect(due(asked, contextAt(200)).outcome?.kind).toBe("blocked");
});

test("a life that is over ends; a person is asked only where it was the agent's turn", () => {
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
