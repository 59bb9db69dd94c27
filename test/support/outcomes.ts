// Results of checks, as tests need them.
import type { CheckOutcome } from "../../src/core/check.ts";
import { treeId } from "../../src/core/ids.ts";

type Outcome<K extends CheckOutcome["kind"]> = Extract<CheckOutcome, { kind: K }>;

export const passed = (): Outcome<"passed"> => ({
  kind: "passed",
  tree: treeId("tree"),
  results: [],
  remembered: false,
  flaky: false,
});

export const red = (logTail = "expected 1, got 2"): Outcome<"failed"> => ({
  kind: "failed",
  tree: treeId("tree"),
  results: [
    {
      gate: "test",
      passed: false,
      exitCode: 1,
      signal: null,
      timedOut: false,
      durationMs: 1200,
      logFile: "/tmp/test.log",
      logTail,
    },
  ],
  remembered: false,
});
