import { expect, test } from "vitest";
import { HEAD, contextAt, tellKinds, testRun } from "../../../test/support/run.ts";
import { block } from "./escalate.ts";
import {
  callBack,
  cancelCheck,
  forgeLane,
  gitLane,
  postStatus,
  startCheck,
} from "./obligations.ts";
import { endSession } from "./session-life.ts";
import { treeId } from "../ids.ts";

test("a run has a lane for its session, one for git and one for the forge", () => {
  const run = testRun({ head: HEAD });
  expect([gitLane(run), forgeLane(run)]).toEqual(["run:toy/42.1:git", "run:toy/42.1:forge"]);
});

test("an end that follows a settlement does not wait for it", () => {
  const context = contextAt();
  endSession(block(testRun(), "too large", context), "blocked", context);
  const lanes = context.output.effects.map(({ lane, effect }) => `${effect.kind} ${lane}`);
  expect(lanes).toEqual([
    "settle-issue run:toy/42.1:forge",
    "notify notify:toy",
    "end-session run:toy/42.1",
    "checkpoint run:toy/42.1",
  ]);
});

test("a check has a lane of its own, so that it holds up no message", () => {
  const context = contextAt();
  startCheck(testRun(), { head: HEAD, attempt: 1 }, context);
  const [check] = context.output.effects;
  expect(check?.lane).toBe(check?.key);
});

test("the check that was started is the one that is cancelled, also after later changes", () => {
  const started = contextAt();
  const run = startCheck(testRun(), { head: HEAD, attempt: 1 }, started);
  const later = contextAt();
  cancelCheck({ ...run, phase: { ordinal: 9, phase: "done", reason: undefined, at: 0 } }, later);
  expect(later.output.cancelled).toEqual([started.output.effects[0]?.key]);
});

test("where no check runs, none is cancelled", () => {
  const context = contextAt();
  cancelCheck(testRun(), context);
  expect(context.output.cancelled).toEqual([]);
});

test("a check under way is cancelled", () => {
  const context = contextAt();
  const stage = { kind: "checking", head: HEAD, key: "k", deadline: undefined } as const;
  expect(callBack(testRun({ stage }), "why", context).stage.kind).toBe("working");
  expect(context.output.cancelled).toEqual(["k"]);
});

test("an entry in the merge queue is withdrawn, saying why", () => {
  const context = contextAt();
  const run = callBack(testRun({ stage: { kind: "queued", head: HEAD } }), "new commits", context);
  expect(run.stage.kind).toBe("working");
  expect(tellKinds(context.output)).toEqual(["entry-withdrawn"]);
  expect(context.output.tells[0]).toMatchObject({
    to: "queue:toy",
    event: { branch: run.branch, why: "new commits" },
  });
});

test("without effects under way nothing changes", () => {
  const context = contextAt();
  const run = testRun({ stage: { kind: "reviewing", head: HEAD, deadline: 1 } });
  expect(callBack(run, "why", context)).toBe(run);
});

const forge = { kind: "gitea", url: "https://forge.example", owner: "a", repo: "b" } as const;
const run = testRun();
const onForge = { ...run, config: { ...run.config, forge } };
const infra = { kind: "infra", tree: treeId("t"), message: "no disk", logTail: "" } as const;

test("what CI says goes to the forge, in a lane of its own", () => {
  const context = contextAt();
  postStatus(onForge, { head: HEAD, outcome: undefined }, context);
  postStatus(onForge, { head: HEAD, outcome: infra }, context);
  const [begun, broken] = context.output.effects;
  expect(begun?.effect).toMatchObject({ kind: "post-status", head: HEAD, state: "pending" });
  expect(broken?.effect).toMatchObject({ state: "error" });
  expect(begun?.lane).toBe(broken?.lane);
  expect(begun?.key).not.toBe(broken?.key);
  expect(begun?.lane).not.toBe(`run:${run.project}:${run.id}`);
});

test("where issues live in the journal, no status is posted", () => {
  const context = contextAt();
  postStatus(run, { head: HEAD, outcome: undefined }, context);
  expect(context.output.effects).toEqual([]);
});
