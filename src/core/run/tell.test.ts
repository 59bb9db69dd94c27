import { expect, test } from "vitest";
import { contextAt, HEAD, testRun } from "../../../test/support/run.ts";
import { treeId } from "../ids.ts";
import { announce, leaveReview, tellAsker, recallBranch, postStatus } from "./tell.ts";
import { withReviewRole } from "../../../test/support/review.ts";
import { taskRun } from "../../../test/support/task.ts";

test("a signal says of whom it speaks", () => {
  const context = contextAt(7);
  announce(testRun(), { kind: "AGENT_CRASHED", detail: { exit: null } }, context);
  expect(context.output.signals).toEqual([
    {
      kind: "AGENT_CRASHED",
      at: 7,
      project: "toy",
      identity: "dev-42",
      run: "42.1",
      detail: { session_id: "dev-42-1@toy", exit: null },
    },
  ]);
});

test("the review is told that the run no longer waits, if there is one", () => {
  const context = contextAt(5);
  leaveReview(testRun({ pr: 7 }), { over: true }, context);
  leaveReview(withReviewRole(testRun()), { over: true }, context);
  expect(context.output.tells).toEqual([]);
  leaveReview(withReviewRole(testRun({ pr: 7 })), { over: false }, context);
  expect(context.output.tells).toEqual([
    { to: "reviews:toy", event: { kind: "review-unwanted", at: 5, pr: 7, over: false } },
  ]);
});

test("the asker of a task is told; an issue has no asker", () => {
  const context = contextAt(5);
  tellAsker(testRun(), { kind: "nothing" }, context);
  expect(context.output.tells).toEqual([]);
  tellAsker(taskRun(), { kind: "nothing" }, context);
  const event = {
    kind: "task-finished",
    at: 5,
    key: "k",
    run: "review-17.1",
    outcome: { kind: "nothing" },
  };
  expect(context.output.tells).toEqual([{ to: "project:toy", event }]);
});

test("a check or a fetch under way is no longer wanted", () => {
  const stage = { kind: "checking", head: HEAD, key: "k", deadline: undefined, fetch: 2 } as const;
  const run = recallBranch(testRun({ stage }), "why", contextAt());
  expect(run.stage).toEqual({ kind: "working" });
});

test("an entry in the merge queue is withdrawn, saying why", () => {
  const context = contextAt();
  const run = recallBranch(
    testRun({ stage: { kind: "queued", head: HEAD } }),
    "new commits",
    context,
  );
  expect(run.stage.kind).toBe("working");
  expect(context.output.tells).toMatchObject([
    {
      to: "queue:toy",
      event: { kind: "entry-withdrawn", branch: run.branch, why: "new commits" },
    },
  ]);
});

test("without effects under way nothing changes", () => {
  const run = testRun({ stage: { kind: "reviewing", head: HEAD, deadline: 1 } });
  expect(recallBranch(run, "why", contextAt())).toBe(run);
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
