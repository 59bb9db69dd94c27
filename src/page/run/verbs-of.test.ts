import { expect, test } from "vitest";
import { verbsOf } from "./verbs-of.ts";

test("a run is retried where it has no agent, was stopped or asks, and not while its agent starts", () => {
  const run = { alive: true, needs_you: null };
  expect(verbsOf(run)).toEqual(["Hold"]);
  expect(verbsOf({ ...run, alive: false })).toEqual(["Retry", "Hold"]);
  expect(verbsOf({ ...run, alive: false, starting: true })).toEqual(["Hold"]);
  expect(verbsOf({ ...run, stopped_by: "ann" })).toEqual(["Retry", "Hold"]);
  expect(verbsOf({ ...run, needs_you: "Which colour?" })).toEqual(["Retry", "Hold"]);
  expect(verbsOf({ ...run, held_by: "ann" })).toEqual(["Release"]);
});
