import { expect, test } from "vitest";
import {
  HEAD,
  contextAt,
  kinds,
  stepped,
  tellKinds,
  testRun,
  testSession,
  wants,
} from "../../../test/support/run.ts";
import { commitId } from "../ids.ts";
import {
  clearAway,
  cleared,
  exitDue,
  isOurs,
  keepWorkspace,
  labelsObserved,
  land,
  withdraw,
  block,
} from "./clear.ts";
import type { Run } from "./run.ts";
import { taskRun } from "../../../test/support/task.ts";
import type { Event } from "../event.ts";

const MERGED = commitId("merged");
const dead = testSession({ status: "ended", verdict: "completed" });

const landed = (change: Partial<Run> = {}): Run => ({
  ...land(testRun({ head: HEAD, pr: 7 }), MERGED, contextAt()),
  ...change,
});

test("a landing frees the place, closes the issue, deletes the branch, and tells the agent", () => {
  const context = contextAt(5);
  const before = testRun({ head: HEAD, pr: 7 });
  const run = land(before, MERGED, context);
  expect(tellKinds(context.output)).toEqual(["run-ended"]);
  expect(wants(before, run).effects).toMatchObject([
    { effect: { kind: "deliver-message" } },
    { effect: { kind: "settle-issue", close: true, pr: { number: 7, mergedAs: MERGED } } },
    { effect: { kind: "delete-branch", head: HEAD } },
  ]);
  expect(run.stage).toMatchObject({ exitBy: 5 + run.config.limits.exitMs });
});

test("a run lands once", () => {
  const run = landed();
  expect(land(run, commitId("other"), contextAt())).toBe(run);
});

test("after the exit time an agent that still runs is ended, unless a person is attached", () => {
  const context = contextAt(60_000);
  expect(exitDue(landed(), contextAt(59_999)).session?.status).toBe("live");
  expect(exitDue(landed(), context).session).toMatchObject({
    status: "ending",
    verdict: "completed",
  });
  const held = exitDue(landed({ held: { by: "ada", at: 0 } }), contextAt(60_000));
  expect([held.session?.status, held.stage]).toMatchObject(["live", { exitBy: 120_000 }]);
});

test("the workspace is removed after the life has ended and its content is saved, and only once", () => {
  const context = contextAt();
  expect(clearAway(landed(), context)).toEqual(landed());
  const gone = clearAway(landed({ session: dead }), context);
  expect(kinds(wants(landed({ session: dead }), gone))).toEqual(["checkpoint", "remove-workspace"]);
  expect(clearAway(gone, contextAt())).toBe(gone);
});

test("a run is over when issue, session and workspace are settled, in any order", () => {
  const context = contextAt();
  let run = landed({ session: dead });
  run = cleared(run, "workspaceGone", context);
  run = cleared(run, "issueSettled", context);
  expect(run.stage.kind).toBe("landed");
  run = cleared(run, "sessionGone", context);
  expect(run.stage.kind).toBe("ended");
  expect(tellKinds(context.output)).toEqual(["run-cleared"]);
});

test("what could not be saved is not removed", () => {
  const gone = clearAway(landed({ session: dead }), contextAt());
  const kept = keepWorkspace(gone, contextAt());
  expect(kept.stage).toMatchObject({ clearing: { workspaceGone: true } });
  expect(wants(gone, kept).cancelled).toEqual(["run:toy/42.1:remove-workspace"]);
  expect(keepWorkspace(testRun(), contextAt())).toEqual(testRun());
});

test("an issue that others closed or took ends the run quietly, and keeps what there is", () => {
  const context = contextAt();
  const queued = testRun({ stage: { kind: "queued", head: HEAD } });
  const run = withdraw(queued, { kind: "closed", why: "closed by ada" }, context);
  expect(tellKinds(context.output)).toEqual(["entry-withdrawn", "run-ended"]);
  expect(kinds(wants(queued, run))).toEqual([]);
  expect(run.stage).toMatchObject({ clearing: { issueSettled: true, workspaceGone: true } });
});

test("giving up ends the session, but waits for a person who sits at it", () => {
  const run = withdraw(testRun(), { kind: "closed", why: "w" }, contextAt());
  expect(clearAway(run, contextAt()).session).toMatchObject({
    status: "ending",
    verdict: "killed",
  });
  const attended = { ...run, session: testSession({ attached: true }) };
  expect(clearAway(attended, contextAt())).toBe(attended);
});

test("nothing is cleared away of a run that goes on", () => {
  const run = testRun();
  expect(clearAway(run, contextAt())).toBe(run);
  expect(cleared(run, "issueSettled", contextAt())).toBe(run);
});

test.each([
  [["in-progress"], true],
  [["in-progress", "priority"], true],
  [["in-progress", "blocked"], false],
  [["backlog"], false],
])("%j are as Pawl left them: %s", (labels, ours) => {
  expect(isOurs(labels)).toBe(ours);
});

test("a person who takes `in-progress` away takes the issue back, and nothing is undone", () => {
  const event: Event = { kind: "issue-observed", at: 0, state: "open", labels: ["backlog"] };
  const { run, output } = stepped(testRun(), event);
  expect(run.outcome).toMatchObject({
    kind: "closed",
    why: expect.stringContaining("in-progress"),
  });
  expect(kinds(output)).toEqual(["end-session", "checkpoint"]);
});

test("a person who adds `blocked` stops the run; it is left as one that gave up", () => {
  const labels = ["in-progress", "blocked"];
  const { run, output } = stepped(testRun(), {
    kind: "issue-observed",
    at: 0,
    state: "open",
    labels,
  });
  expect(run.outcome?.kind).toBe("closed");
  const settled = output.effects.find(({ effect }) => effect.kind === "settle-issue");
  expect(settled?.effect).toMatchObject({
    addLabels: ["backlog"],
    removeLabels: ["in-progress"],
    comment: undefined,
  });
});

test("a run that is only claiming, and a task, have no labels to lose", () => {
  const claiming = testRun({ stage: { kind: "claiming" } });
  expect(labelsObserved(claiming, { labels: [] }, contextAt())).toBe(claiming);
  const task = taskRun();
  expect(labelsObserved(task, { labels: [] }, contextAt())).toBe(task);
});

test("giving up labels the issue, says why once, and keeps the workspace", () => {
  const context = contextAt();
  const before = testRun({ pr: 7 });
  const run = block(before, "too large", context);
  expect([...wants(before, run).effects, ...context.output.effects]).toMatchObject([
    {
      key: "run:toy/42.1:settle",
      effect: {
        close: false,
        addLabels: ["blocked", "backlog"],
        removeLabels: ["in-progress"],
        comment: expect.stringContaining("too large"),
      },
    },
    { effect: { kind: "notify" } },
  ]);
  expect(run.stage).toMatchObject({ clearing: { workspaceGone: true } });
  expect(block(run, "again", contextAt())).toBe(run);
});
