import { expect, test } from "vitest";
import { HEAD, testRun, testSession, wants } from "../../../test/support/run.ts";
import { taskRun } from "../../../test/support/task.ts";
import { commitId } from "../ids.ts";
import type { Run, RunOutcome } from "./run.ts";
import type { Clearing } from "./stage.ts";

const OWED: Clearing = { issueSettled: false, sessionGone: false, workspaceGone: true };
const MERGED = commitId("merged");

const over = (outcome: RunOutcome, change: Partial<Run> = {}): Run =>
  testRun({
    session: testSession({ status: "ended" }),
    outcome,
    stage: { kind: "blocking", reason: "r", clearing: OWED },
    ...change,
  });

const settled = (run: Run) => wants(testRun(), run).effects[0]?.effect;

test("a blocked issue is labelled, and told why", () => {
  expect(settled(over({ kind: "blocked", reason: "too hard" }))).toMatchObject({
    kind: "settle-issue",
    close: false,
    addLabels: ["blocked", "backlog"],
    comment: expect.stringContaining("too hard"),
  });
});

test("an issue that is given back is left as it was before it was claimed", () => {
  expect(settled(over({ kind: "closed", why: "w" }))).toMatchObject({
    addLabels: ["backlog"],
    removeLabels: ["in-progress"],
    comment: undefined,
  });
});

test("a refused issue is settled by what it was refused for", () => {
  const refusal = { kind: "already_done", reason: "by #3" } as const;
  const stage = { kind: "blocking", reason: "r", clearing: OWED, refusal } as const;
  const run = over({ kind: "refused", why: "w", blockedBy: [] }, { stage, pr: 9 });
  expect(settled(run)).toMatchObject({ close: true, pr: { number: 9, mergedAs: undefined } });
});

test("the PR of a task ends with it; without one nothing is owed", () => {
  const stage = { kind: "landed", commit: MERGED, exitBy: 0, clearing: OWED } as const;
  const { effects } = wants(taskRun(), taskRun({ stage, pr: 9 }));
  expect(effects).toMatchObject([{ effect: { kind: "finish-pr", pr: 9, mergedAs: MERGED } }]);
  expect(wants(taskRun(), taskRun({ stage })).effects).toEqual([]);
});

test("a workspace that stays is saved, and its phase path given up", () => {
  const clearing: Clearing = { ...OWED, issueSettled: true, sessionGone: true, isSaving: true };
  const stage = { kind: "blocking", reason: "r", clearing } as const;
  const run = over({ kind: "closed", why: "w" }, { stage, head: HEAD });
  expect(wants(testRun(), run).effects).toMatchObject([
    { effect: { kind: "checkpoint", reason: "run given up" } },
    { effect: { kind: "unlink-phase", lastEpoch: 1 } },
  ]);
});
