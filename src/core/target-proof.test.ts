import { expect, test } from "vitest";
import { testConfig } from "../../test/support/config.ts";
import type { CheckOutcome, GateResult } from "./check.ts";
import { commitId, treeId } from "./ids.ts";
import { failureOf, needsProof } from "./target-proof.ts";

const { ci } = testConfig();
const commit = commitId("c");
const tree = treeId("t");
const failed: GateResult = {
  gate: "test",
  passed: false,
  exitCode: 127,
  signal: null,
  timedOut: false,
  durationMs: 1,
  reason: "command not found",
  logFile: "/logs/1",
  logTail: "sh: npn: not found",
};

test("only gates on this machine are asked before an agent starts", () => {
  expect(needsProof(ci)).toBe(true);
  expect(needsProof({ ...ci, gates: [] })).toBe(false);
  expect(needsProof({ ...ci, none: true })).toBe(false);
});

test("a failure names the command, how it failed, and the end of its output", () => {
  const outcome: CheckOutcome = { kind: "failed", tree, results: [failed], remembered: false };
  expect(failureOf(commit, outcome, ci.gates)).toEqual({
    commit,
    kind: "red",
    why: "`sh test.sh`: command not found, exit code 127",
    logTail: "sh: npn: not found",
    logFile: "/logs/1",
  });
});

test("a gate that could not run is a failure of its own kind, and a green target is none", () => {
  const broken = { kind: "infra", tree, message: "disk full", logTail: "x" } as const;
  expect(failureOf(commit, broken, ci.gates)).toMatchObject({ kind: "broken", why: "disk full" });
  const green: CheckOutcome = {
    kind: "passed",
    tree,
    results: [],
    remembered: false,
    flaky: false,
  };
  expect(failureOf(commit, green, ci.gates)).toBeUndefined();
});
