import { expect, test } from "vitest";
import { contextAt, HEAD, testRun } from "../../../test/support/run.ts";
import { cancelCheck, startCheck } from "./check-branch.ts";

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
