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
import { backoffMs, proceed } from "./proceed.ts";
import type { Run } from "./run.ts";

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
