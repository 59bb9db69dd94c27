import { expect, test } from "vitest";
import { testRun, testSession } from "../../test/support/run.ts";
import type { Gate } from "./gate/gate.ts";
import { historyOf } from "./history.ts";
import { commitId, projectName } from "./ids.ts";
import type { Run } from "./run/run.ts";
import type { AggregateState } from "./step.ts";

const over = (change: Partial<Run> = {}): Run =>
  testRun({
    stage: { kind: "ended" },
    session: undefined,
    outcome: { kind: "blocked", reason: "no test passes" },
    endedAt: 90,
    ...change,
  });

test("a run that is over leaves what it was, how it ended and what it may be found by", () => {
  const used = { tokens: 12, usd: 0.5 };
  const spending = { total: used, life: { ...used, epoch: 1 }, from: { tokens: 0, usd: 0 } };
  const run = over({ pr: 77, spending });
  expect(historyOf(run)).toMatchObject({
    project: run.project,
    kind: "run",
    outcome: "blocked",
    startedAt: run.requestedAt,
    endedAt: 90,
    lastWords: "no test passes",
    ...used,
  });
  expect(historyOf(run)?.names).toEqual(
    expect.arrayContaining([run.identity, run.branch, "77", historyOf(run)?.reference]),
  );
});

test("a run that has landed and is still being cleared away is not over", () => {
  const commit = commitId("c".repeat(40));
  const clearing = { issueSettled: true, sessionGone: true, workspaceGone: false };
  const stage = { kind: "landed", commit, exitBy: 5, clearing } as const;
  expect(historyOf(over({ stage, outcome: { kind: "landed", commit } }))).toBeUndefined();
});

test("what may still come due is not over", () => {
  expect(historyOf(over({ respawnAt: 100 }))).toBeUndefined();
});

test("last words are cut, and those of a run that landed are the last it was said to do", () => {
  const landed = { kind: "landed", commit: commitId("c".repeat(40)) } as const;
  const hook = { ...testRun().hook, summary: "x".repeat(1000) };
  expect(historyOf(over({ outcome: landed, hook }))?.lastWords).toBe("x".repeat(300));
});

test("a gate is over once it is closed, and a project never is", () => {
  const gate = {
    kind: "gate",
    project: projectName("toy"),
    id: "g7",
    key: "k",
    title: "Ship?",
    openedAt: 1,
    spec: { kind: "human", question: "Ship?" },
    closed: undefined,
  } as unknown as Gate;
  expect(historyOf(gate)).toBeUndefined();
  const closed = { at: 5, by: "ann", met: false, reason: "not on a Friday" };
  expect(historyOf({ ...gate, closed })).toMatchObject({
    reference: "g7",
    outcome: "not met",
    lastWords: "not on a Friday",
    names: ["request k", "gates"],
  });
  expect(historyOf({ kind: "project" } as AggregateState)).toBeUndefined();
});

test("a run that is over leaves its stages and lives for statistics; an older one leaves none", () => {
  const stages = [{ kind: "working" as const, at: 3 }];
  const marked = over({ stages, askedAt: 1, session: testSession({ startedAt: 4, lastSeen: 8 }) });
  expect(historyOf(marked)?.facts).toEqual({
    role: "dev",
    askedAt: 1,
    stages,
    lives: [{ from: 4, to: 8 }],
    crashes: 0,
  });
  expect(historyOf(over())?.facts).toMatchObject({ askedAt: 0, stages: [] });
});

test("every life that crashed is counted, also after an answer that forgave the crashes", () => {
  const crashed = testSession({ verdict: "crashed" });
  const lives = [crashed, testSession({ verdict: "handed_off" }), crashed];
  expect(historyOf(over({ lives, session: crashed, crashes: [] }))?.facts?.crashes).toBe(3);
});
