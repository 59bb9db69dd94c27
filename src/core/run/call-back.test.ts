import { expect, test } from "vitest";
import { contextAt, HEAD, tellKinds, testRun } from "../../../test/support/run.ts";
import { callBack } from "./call-back.ts";

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
