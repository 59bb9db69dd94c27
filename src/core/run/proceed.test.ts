import { expect, test } from "vitest";
import {
  HEAD,
  contextAt,
  escalated,
  kinds,
  testMessage,
  testRun,
  testSession,
  wants,
} from "../../../test/support/run.ts";
import { newEvidence } from "../session/evidence.ts";
import type { Verdict } from "../session/session.ts";
import { lastSaved } from "./clear.ts";
import { backoffMs, proceed, due, runDeadline, shiftDeadlines } from "./proceed.ts";
import { lifeDeadline, type Run } from "./run.ts";
import type { Stage } from "./stage.ts";

const dead = (verdict: Verdict, change: Partial<Run> = {}): Run =>
  testRun({ session: testSession({ status: "ended", verdict }), ...change });

const crashed = (times: number, change: Partial<Run> = {}): Run =>
  dead("crashed", { crashes: Array(times).fill({ at: 0, head: undefined }), ...change });

const queued = { kind: "queued", head: HEAD } as const;

test("the first successor starts at once, then after 10 s, doubling to 5 min", () => {
  expect([1, 2, 3, 4, 10].map(backoffMs)).toEqual([0, 10_000, 20_000, 40_000, 300_000]);
});

test.each<[string, Run]>([
  ["is stopped", crashed(1, { stopped: { by: "ada", at: 0 } })],
  ["is held", crashed(1, { held: { by: "ada", at: 0 } })],
  ["is escalated", crashed(1, { stage: escalated() })],
  ["has no workspace yet", testRun({ session: undefined, stage: { kind: "preparing" } })],
  ["backs off", crashed(2, { respawnAt: 10_000 })],
  ["has a life already", testRun()],
  ["waits for others, without news", dead("completed", { stage: queued })],
  ["waits for others, stopped and let go again", dead("killed", { stage: queued })],
])("a run that %s starts no life", (_, run) => {
  const context = contextAt(5);
  expect(proceed(run, context)).toBe(run);
  expect(context.output.effects).toEqual([]);
});

test("a crash is followed by a new life, and the second one only after a while", () => {
  expect(proceed(crashed(1), contextAt(5)).session?.epoch).toBe(2);
  expect(proceed(crashed(2), contextAt(5))).toMatchObject({ respawnAt: 10_005, epoch: 1 });
});

test("after a long healthy life the successor starts at once", () => {
  const session = testSession({ status: "ended", verdict: "crashed", lastSeen: 600_000 });
  expect(proceed(crashed(2, { session }), contextAt(5)).session?.status).toBe("spawning");
});

test("crashes before the newest commit do not count", () => {
  const run = crashed(2, { head: HEAD });
  expect(
    proceed({ ...run, crashes: [...run.crashes, { at: 0, head: HEAD }] }, contextAt()).epoch,
  ).toBe(2);
});

test("too many crashes are put before a person", () => {
  expect(proceed(crashed(3), contextAt()).stage).toMatchObject({
    kind: "escalated",
    escalation: { reason: "crashed 3 times without a new commit" },
  });
});

test("a command that cannot be started is put before a person, unless it has worked before", () => {
  const exit = { code: 127, signal: null, startedAt: 0, endedAt: 0 };
  const session = testSession({ status: "ended", verdict: "crashed", exit });
  expect(proceed(crashed(1, { session }), contextAt()).stage.kind).toBe("escalated");
  const spoke = { ...session, spoke: true };
  expect(proceed(crashed(1, { session: spoke }), contextAt()).epoch).toBe(2);
  expect(proceed(crashed(0, { session }), contextAt()).epoch).toBe(2);
});

test("an agent that left without a word is nudged, with one nudge at a time", () => {
  const nudged = proceed(dead("incomplete"), contextAt());
  expect(nudged).toMatchObject({ epoch: 2, counts: { nudges: 1 } });
  expect(nudged.messages).toMatchObject([{ kind: "nudge", status: "told" }]);
  const session = testSession({ status: "ended", verdict: "incomplete", epoch: 2 });
  expect(proceed({ ...nudged, session }, contextAt()).messages).toHaveLength(1);
});

test("news that a silent agent has not seen is told without a nudge", () => {
  const run = proceed(dead("incomplete", { messages: [testMessage()] }), contextAt());
  expect(run).toMatchObject({ epoch: 2, counts: { nudges: 0 } });
});

test("a phase that was seen only after the exit counts: there is nothing to nudge", () => {
  const run = dead("incomplete", { stage: { kind: "fetching", ordinal: 1 } });
  expect(proceed(run, contextAt())).toBe(run);
});

test("news that asks for work starts a life for a run that waits; other news does not", () => {
  const waiting = (kind: "review-changes" | "ci-passed"): Run =>
    dead("completed", { stage: queued, messages: [testMessage({ kind })] });
  expect(proceed(waiting("review-changes"), contextAt()).epoch).toBe(2);
  expect(proceed(waiting("ci-passed"), contextAt()).epoch).toBe(1);
});

test("a run whose work is over is only saved and cleared away", () => {
  const clearing = { issueSettled: true, sessionGone: false, workspaceGone: true };
  const stage = { kind: "blocking", reason: "r", clearing } as const;
  const run = crashed(1, { stage, outcome: { kind: "blocked", reason: "r" } });
  const saving = proceed(run, contextAt());
  expect(saving.stage.kind).toBe("blocking");
  expect(kinds(wants(run, saving))).toEqual(["checkpoint", "unlink-phase"]);
  expect(lastSaved(saving, contextAt()).stage.kind).toBe("ended");
});

test("an agent that left because of its account's limit comes back without a nudge being counted", () => {
  const evidence = { ...newEvidence(), limit: { until: 100, reason: "429" } };
  const session = testSession({ status: "ended", verdict: "incomplete", lastSeen: 50, evidence });
  const run = testRun({ session });
  const spent: Run = { ...run, counts: { ...run.counts, nudges: 2 } };
  const back = proceed(spent, contextAt(100));
  expect(back).toMatchObject({ counts: { nudges: 2 }, messages: [] });
  expect(kinds(wants(spent, back))).toEqual(["spawn-session"]);
});

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
