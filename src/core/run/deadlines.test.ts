import { expect, test } from "vitest";
import { escalated, HEAD, testRun, testSession } from "../../../test/support/run.ts";
import { lifeDeadline, runDeadline, shiftDeadlines } from "./deadlines.ts";
import type { Stage } from "./run.ts";

const clearing = { issueSettled: false, sessionGone: false, workspaceGone: false };
const landed: Stage = { kind: "landed", commit: HEAD, farewellAt: 60, clearing };
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
