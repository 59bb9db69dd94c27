import { expect, test } from "vitest";
import {
  BASE,
  HEAD,
  contextAt,
  escalated,
  kinds,
  stepped,
  testMessage,
  testRun,
  testSession,
  wants,
} from "../../../test/support/run.ts";
import { emptyOutput } from "../effect.ts";
import { commitId } from "../ids.ts";
import { newEvidence } from "../session/evidence.ts";
import { block } from "./clear.ts";
import { startCheck } from "./obligations.ts";
import type { Run, RunOutcome } from "./run.ts";
import type { Stage, Clearing } from "./stage.ts";
import { endSession } from "./session-life.ts";
import { taskRun } from "../../../test/support/task.ts";

test("a step that changes nothing asks for nothing", () => {
  expect(wants(testRun(), testRun())).toEqual(emptyOutput());
});

test("what is under way already is not asked for again, and what is gone is cancelled", () => {
  const publishing = testRun({ stage: { kind: "publishing", head: HEAD, ordinal: 1 } });
  const later: Run = {
    ...publishing,
    phase: { ordinal: 2, phase: "awaiting_ci", reason: undefined, at: 1 },
  };
  expect(wants(publishing, later)).toEqual(emptyOutput());
  const asked: Run = { ...later, stage: escalated() };
  const key = `run:toy/42.1:publish:1:${HEAD}`;
  expect(wants(later, asked).cancelled).toEqual([key]);
  expect(wants(asked, later).effects).toMatchObject([
    { key, lane: "run:toy/42.1:forge", effect: { head: HEAD } },
  ]);
});

test.each<[Partial<Run>, string[]]>([
  [{ stage: { kind: "claiming" } }, ["claim-issue run:toy/42.1:forge"]],
  [{ stage: { kind: "preparing" } }, ["prepare-workspace run:toy/42.1:git"]],
  [{ stage: { kind: "fetching", ordinal: 3 } }, ["fetch-branch run:toy/42.1:git"]],
  [{ session: testSession({ status: "spawning" }) }, ["spawn-session run:toy/42.1"]],
  [
    { session: testSession({ evidence: { ...newEvidence(), looking: true } }) },
    ["look-at-session run:toy/42.1:look:1"],
  ],
])("%j stands for %j", (change, wanted) => {
  const { effects } = wants(testRun(), testRun(change));
  expect(effects.map(({ effect, lane }) => `${effect.kind} ${lane}`)).toEqual(wanted);
});

test("an end that follows a settlement does not wait for it", () => {
  const run = endSession(block(testRun(), "too large", contextAt()), "blocked");
  const lanes = wants(testRun(), run).effects.map(({ lane, effect }) => `${effect.kind} ${lane}`);
  expect(lanes).toEqual([
    "end-session run:toy/42.1",
    "checkpoint run:toy/42.1",
    "settle-issue run:toy/42.1:forge",
  ]);
});

test("a session that is stopped before it was started is not started first", () => {
  const spawning = testRun({ session: testSession({ status: "spawning" }) });
  const { output } = stepped(spawning, { kind: "run-stopped", at: 1, by: "ada" });
  expect(output.cancelled).toContain("run:toy/42.1:spawn:1");
  expect(kinds(output)).toEqual(["end-session", "checkpoint"]);
});

test("what was to be typed into a session that ends is cancelled, and told to the next one", () => {
  const run = testRun({ messages: [testMessage({ epoch: 1 })] });
  const { output, run: stopped } = stepped(run, { kind: "run-stopped", at: 1, by: "ada" });
  expect(output.cancelled).toContain("run:toy/42.1:deliver:1:m1");
  expect(stopped.messages).toMatchObject([{ status: "queued" }]);
});

test("an issue that is closed while it is claimed is claimed no more, and given back", () => {
  const claiming = testRun({ stage: { kind: "claiming" }, session: undefined, epoch: 0 });
  const { output } = stepped(claiming, {
    kind: "issue-observed",
    at: 1,
    state: "closed",
    labels: [],
  });
  expect(output.cancelled).toContain("run:toy/42.1:claim");
  expect(kinds(output)).toContain("settle-issue");
});

test("a check has a lane of its own, so that it holds up no message", () => {
  const [check] = wants(testRun(), startCheck(testRun(), { head: HEAD, attempt: 1 })).effects;
  expect(check?.lane).toBe(check?.key);
});

test("the check that was started is the one that is cancelled, also after later changes", () => {
  const run = startCheck(testRun(), { head: HEAD, attempt: 1 });
  const [check] = wants(testRun(), run).effects;
  const later: Run = { ...run, phase: { ordinal: 9, phase: "done", reason: undefined, at: 0 } };
  expect(wants(later, { ...later, stage: { kind: "working" } }).cancelled).toEqual([check?.key]);
});

const landed: Stage = {
  kind: "landed",
  commit: commitId("merged"),
  exitBy: 0,
  clearing: { issueSettled: true, sessionGone: true, workspaceGone: false },
};

test("what is only saved or deleted is carried out, though the run has ended meanwhile", () => {
  const run = testRun({ head: HEAD, stage: landed, session: testSession({ status: "ended" }) });
  expect(kinds(wants(testRun(), run))).toEqual(["delete-branch", "checkpoint", "remove-workspace"]);
  expect(wants(run, { ...run, stage: { kind: "ended" } }).cancelled).toEqual([
    "run:toy/42.1:remove-workspace",
  ]);
});

test("a journal of before, which has no phase in its stage, publishes under the last phase", () => {
  const phase = { ordinal: 4, phase: "awaiting_ci", reason: undefined, at: 0 } as const;
  const older = testRun({ phase, stage: { kind: "publishing", head: BASE } });
  expect(wants(older, testRun({ phase })).cancelled).toEqual(["run:toy/42.1:publish:4"]);
});

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
