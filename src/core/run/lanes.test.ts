import { expect, test } from "vitest";
import { contextAt, HEAD, testRun } from "../../../test/support/run.ts";
import { block } from "./escalate.ts";
import { forgeLane, gitLane } from "./lanes.ts";
import { endSession } from "./session-life.ts";

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
