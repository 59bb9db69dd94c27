import { expect, test } from "vitest";
import { contextAt, kinds, stepped, tellKinds, testRun, wants } from "../../../test/support/run.ts";
import { given, taskRun, testTask } from "../../../test/support/task.ts";
import type { Event } from "../event.ts";
import { commitId } from "../ids.ts";
import { deadlineOf } from "../step.ts";
import type { ResultFile } from "../task.ts";
import { giveTask } from "./request.ts";
import type { Run } from "./run.ts";
import { stepRun } from "./step-run.ts";
import { accepted, refused } from "./task-reactions.ts";

const text = (content: string): ResultFile => ({ kind: "text", text: content });
const wrote = (phase: string, result?: ResultFile, stamp = "s1"): Event => ({
  kind: "phase-observed",
  at: 0,
  epoch: 1,
  stamp,
  text: `PHASE:${phase}\n`,
  ...(result === undefined ? {} : { result }),
});
const judging = (): Run => stepped(taskRun(), wrote("done", text("{}"))).run;

test("a task needs no claim: its workspace is made at the commit it names", () => {
  const commit = commitId("c1");
  const run = giveTask(given(testTask({ at: { kind: "commit", commit } })));
  expect(run).toMatchObject({
    stage: { kind: "preparing" },
    identity: "review-17",
    role: "review",
  });
  expect(wants(undefined, run).effects).toMatchObject([
    { effect: { kind: "prepare-workspace", from: commit, branch: "pawl/review-17-1" } },
  ]);
});

test("settings of a task apply to its run alone", () => {
  const task = testTask({ model: "small", limits: { lifeMs: 1, idleMs: 2 } });
  const config = { ...given().config, agent: { ...given().config.agent, model: "large" } };
  const run = giveTask({ ...given(task), config });
  expect(run.config.limits).toMatchObject({ lifeMs: 1, stuckMs: 2 });
  expect(config.limits).not.toMatchObject({ lifeMs: 1 });
});

test("a step of the action role may be silent for as long as the project says of actions", () => {
  const task = testTask({ role: "action", limits: { lifeMs: 1 } });
  const { config } = given();
  const withIdle = { ...config, limits: { ...config.limits, actionIdleMs: 5 } };
  expect(giveTask({ ...given(task), config: withIdle }).config.limits).toMatchObject({
    lifeMs: 1,
    stuckMs: 5,
  });
  expect(giveTask({ ...given(task), config }).config.limits.stuckMs).toBe(14_400_000);
});

test("an answer is offered with what the result file holds, and judged within a limit", () => {
  const { run, output } = stepped(taskRun(), wrote("done", text("{}")));
  expect(output.tells).toMatchObject([
    { to: "project:toy", event: { key: "k", outcome: { kind: "result", text: "{}" } } },
  ]);
  expect(run.stage.kind).toBe("judging");
  expect(deadlineOf(run)).toBeLessThanOrEqual(run.config.limits.reviewTimeoutMs);
});

test("without a result file, or with one that is too large, the agent is told so", () => {
  const none = stepped(taskRun(), wrote("done"));
  expect(tellKinds(none.output)).toEqual([]);
  expect(none.run.messages.at(-1)).toMatchObject({ kind: "refused" });
  expect(none.run.messages.at(-1)?.text).toContain("no file at $PAWL_RESULT_FILE");
  const large = stepped(taskRun(), wrote("done", { kind: "too-large", maxBytes: 9 })).run;
  expect(large.messages.at(-1)?.text).toContain("larger than 9 bytes");
});

test("an accepted answer ends the run: session ended, workspace removed after a checkpoint", () => {
  const context = contextAt();
  const run = accepted(judging(), "k", context);
  expect(run.outcome).toEqual({ kind: "answered" });
  expect(tellKinds(context.output)).toEqual(["run-ended"]);
  const after = stepped(
    { ...judging(), session: undefined },
    { kind: "task-accepted", at: 0, key: "k" },
  );
  expect(kinds(after.output)).toEqual(["checkpoint", "remove-workspace"]);
});

test("a verdict about another task, or one that is not awaited, changes nothing", () => {
  const run = judging();
  expect(accepted(run, "other", contextAt())).toBe(run);
  expect(accepted(taskRun(), "k", contextAt()).outcome).toBeUndefined();
  expect(refused(testRun(), { key: "k", problem: "x" }, contextAt())).toEqual(testRun());
});

test("a refused answer goes back to its agent three times; the fourth fails the task", () => {
  const context = contextAt();
  const refuse = (before: Run, round: number): Run =>
    refused(
      stepped(before, wrote("done", text("{}"), `s${round}`)).run,
      { key: "k", problem: `bad ${round}` },
      context,
    );
  const third = [1, 2, 3].reduce(refuse, taskRun());
  expect(third).toMatchObject({ stage: { kind: "working" }, work: { refusals: 3 } });
  expect(third.messages.map(({ kind }) => kind)).toEqual(["refused", "refused", "refused"]);
  expect(third.messages.at(-1)?.text).toContain("bad 3");
  const run = refuse(third, 4);
  expect(tellKinds(context.output)).toEqual(["run-ended", "task-finished"]);
  expect(run.outcome).toMatchObject({ kind: "blocked", reason: expect.stringContaining("bad 4") });
});

test("a task that fails tells its asker, settles no issue, and leaves no workspace", () => {
  const { run, output } = stepped(
    { ...taskRun(), session: undefined },
    {
      kind: "effect-failed",
      at: 0,
      failed: {
        obligation: {
          key: "run:toy/review-17.1:prepare",
          lane: "x",
          effect: { kind: "finish-pr", pr: 1, mergedAs: undefined },
        },
        code: "x",
        message: "x",
      },
    },
  );
  expect(run.outcome).toBeUndefined();
  expect(output.tells).toEqual([]);
  const gaveUp = stepped(taskRun(), wrote("failed"));
  expect(gaveUp.output.tells).toMatchObject([
    { event: { kind: "run-ended" } },
    { event: { kind: "task-finished", outcome: { kind: "failed" } } },
  ]);
  expect(kinds(gaveUp.output)).not.toContain("settle-issue");
  expect(gaveUp.run.stage).toMatchObject({
    clearing: { issueSettled: true, workspaceGone: false },
  });
});

test("an answer that is not judged fails after the limit", () => {
  const run = judging();
  const { deadline } = run.stage as { deadline: number };
  const after = stepped(run, { kind: "deadline-passed", at: deadline });
  expect(after.run.outcome?.kind).toBe("blocked");
});

test("a task that is withdrawn ends without a message to its asker", () => {
  const event = { kind: "task-withdrawn", at: 0, key: "k", why: "closed" } as const;
  const { run, output } = stepped({ ...judging(), pr: 7 }, event);
  expect(run.outcome).toEqual({ kind: "closed", why: "closed" });
  expect(tellKinds(output)).toEqual(["run-ended"]);
  expect(kinds(output)).toContain("finish-pr");
  expect(stepRun(testRun(), event, contextAt().output)?.outcome).toBeUndefined();
});
