import { expect, test } from "vitest";
import { escalated, HEAD, testRun } from "../../../test/support/run.ts";
import type { Run } from "../../core/run/run.ts";
import { waitsOfRuns } from "./runs.ts";

const failed = {
  head: HEAD,
  outcome: { kind: "failed", results: [{ gate: "test", passed: false }] },
} as unknown as Run["check"];

test.each<[string, Partial<Run>, string]>([
  ["nothing else", {}, "Which colour?"],
  [
    "who stopped the run, and that an answer resumes it",
    { stopped: { by: "ann", at: 1 } },
    "Which colour? (stopped by ann; an answer resumes it)",
  ],
  ["that CI failed before", { check: failed }, "Which colour? (CI last failed at test)"],
  [
    "nothing twice",
    { check: failed, stage: escalated("CI failed 3 times at test") },
    "CI failed 3 times at test",
  ],
])("what an agent asks is shown with %s", async (_, change, why) => {
  const run = testRun({ stage: escalated("Which colour?"), ...change });
  expect(await waitsOfRuns([run], undefined)).toMatchObject([{ why, question: true }]);
});
