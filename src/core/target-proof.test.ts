import { expect, test } from "vitest";
import { testConfig } from "../../test/support/config.ts";
import type { CheckOutcome, CiGateResult } from "./check.ts";
import type { ServerCiConfig } from "./config.ts";
import { commitId, treeId } from "./ids.ts";
import { failureOf, needsProof, provenBy, serverFailure } from "./target-proof.ts";

const { ci } = testConfig();
const commit = commitId("c");
const tree = treeId("t");
const failed: CiGateResult = {
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

test("gates show whether the target is green, and without gates a CI server does", () => {
  const server: ServerCiConfig = { kind: "forge", contexts: ["test"], timeoutMs: 1, pollMs: 1 };
  expect(provenBy({ ...ci, server })).toBe("gates");
  expect(provenBy({ ...ci, gates: [], server })).toBe("server");
  expect(provenBy({ ...ci, none: true })).toBeUndefined();
  expect(needsProof({ ...ci, gates: [] })).toBe(false);
});

test("a failure on a CI server names every check that failed, and where the first one is shown", () => {
  const url = "https://ci.example.org/7";
  const [lint, test] = ["lint", "test"].map((gate) => ({ ...failed, gate, logFile: url }));
  const green = { ...failed, gate: "build", passed: true };
  const word = { kind: "failed" as const, results: [green, lint!, test!] };
  expect(serverFailure(commit, word)).toEqual({
    commit,
    kind: "red",
    why: "failed on the CI server: lint, test",
    logTail: "sh: npn: not found",
    logFile: url,
  });
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
