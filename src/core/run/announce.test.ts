import { expect, test } from "vitest";
import { contextAt, testRun } from "../../../test/support/run.ts";
import { announce } from "./announce.ts";

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
