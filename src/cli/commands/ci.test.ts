import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { CheckView } from "../../api/checks.ts";

const FAILED: CheckView = {
  issue: 7,
  run: "7.1",
  branch: "pawl/7-fix",
  head: "0123456789abcdef",
  tree: "fedcba9876543210",
  state: "failed",
  flaky: false,
  remembered: false,
  finished_at: ago(2),
  message: null,
  failed: "test",
  gates: [
    {
      gate: "lint",
      passed: true,
      exit_code: 0,
      signal: null,
      timed_out: false,
      reason: null,
      duration_ms: 900,
      tests: { total: 40, failed: 0, skipped: 2, failures: [] },
      log_file: "/p/lint.log",
      log_tail: "fine",
    },
    {
      gate: "test",
      passed: false,
      exit_code: 127,
      signal: null,
      timed_out: false,
      reason: "not found",
      duration_ms: 61_000,
      tests: null,
      log_file: "/p/test.log",
      log_tail: "sh: nope: not found\n",
    },
  ],
};

const RUNNING: CheckView = {
  ...FAILED,
  state: "running",
  finished_at: null,
  failed: null,
  gates: [],
};
const PASSED: CheckView = {
  ...FAILED,
  state: "passed",
  flaky: true,
  remembered: true,
  failed: null,
};

test("checks are listed", async () => {
  const answers = { "GET /v1/checks": [FAILED, RUNNING, PASSED] };
  expect((await pawlOnTty(["ci", "list"], { answers })).stdout).toMatchInlineSnapshot(`
    "ISSUE  BRANCH      HEAD        STATE           FAILED  FINISHED
    #7     pawl/7-fix  0123456789  failed          test    2 min ago
    #7     pawl/7-fix  0123456789  running
    #7     pawl/7-fix  0123456789  passed (flaky)          2 min ago
    "
  `);
  expect((await pawl(["ci", "list"], { answers })).stdout).toMatchInlineSnapshot(`
    "7	pawl/7-fix	0123456789abcdef	failed	test	2026-03-01T11:58:00.000Z
    7	pawl/7-fix	0123456789abcdef	running		
    7	pawl/7-fix	0123456789abcdef	passed (flaky)		2026-03-01T11:58:00.000Z
    "
  `);
  expect(await pawl(["ci", "list"], { answers: { "GET /v1/checks": [] } })).toMatchObject({
    code: 0,
    stderr: "nothing has been checked yet\n",
  });
});

test("the status tells each gate, and the exit code tells the result", async () => {
  const of = (check: CheckView) => ({ answers: { "GET /v1/checks/7": check } });
  const failed = await pawlOnTty(["ci", "status", "7"], of(FAILED));
  expect(failed.code).toBe(1);
  expect(failed.stderr).toBe("CI of #7 (pawl/7-fix): failed\n");
  expect(failed.stdout).toMatchInlineSnapshot(`
    "GATE  RESULT                                             LOG
    lint  passed in 900 ms, 40 tests (2 skipped)             /p/lint.log
    test  failed: exit code 127 (not found) after 1 min 1 s  /p/test.log
    "
  `);
  expect(await pawl(["ci", "status", "7"], of(RUNNING))).toMatchObject({ code: 8, stdout: "" });
  expect(await pawl(["ci", "status", "7"], of({ ...RUNNING, state: "none" }))).toMatchObject({
    code: 8,
    stderr: "CI of #7 (pawl/7-fix): not run\n",
  });
  const infra = { ...RUNNING, state: "infra" as const, message: "set-up failed" };
  expect(await pawl(["ci", "status", "7"], of(infra))).toMatchObject({
    code: 1,
    stderr: "CI of #7 (pawl/7-fix): could not run; set-up failed\n",
  });
  expect(await pawl(["ci", "status", "7"], of(PASSED))).toMatchObject({
    code: 0,
    stderr:
      "CI of #7 (pawl/7-fix): passed; passed on the second try (flaky); known from an earlier run on the same files\n",
  });
});

test("a branch may be named, slash and all", async () => {
  const answers = { "GET /v1/checks/pawl%2F7-fix": PASSED };
  const { code, stdout } = await pawl(["ci", "status", "pawl/7-fix", "--json"], { answers });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(PASSED);
});

test("logs are the log and nothing else on stdout", async () => {
  const answers = { "GET /v1/checks/7/logs?gate=test": [{ gate: "test", text: "one\ntwo" }] };
  expect(await pawl(["ci", "logs", "7", "--gate", "test"], { answers })).toMatchObject({
    stdout: "one\ntwo\n",
    stderr: "── test\n",
  });
  expect(
    await pawl(["ci", "logs", "7"], { answers: { "GET /v1/checks/7/logs": [] } }),
  ).toMatchObject({ code: 0, stdout: "", stderr: "nothing has run for 7 yet\n" });
});

test("failures are told with exit code and the end of the log", async () => {
  const answers = { "GET /v1/checks/7": FAILED };
  expect(await pawl(["ci", "failures", "7"], { answers })).toMatchObject({
    code: 0,
    stdout: "test failed: exit code 127 (not found) after 1 min 1 s\nsh: nope: not found\n",
    stderr: "",
  });
  const green = { "GET /v1/checks/7": { ...PASSED, gates: PASSED.gates.slice(0, 1) } };
  const { stdout, stderr } = await pawl(["ci", "failures", "7"], { answers: green });
  expect(stdout).toBe("");
  expect(stderr).toContain("no failures");
});

test("output of a gate is shown as it is on a narrow terminal, so that a path can be copied", async () => {
  const text = `not found: ${"/home/ada/a-folder-with-a-long-name".repeat(4)}/x.ts and more words\n`;
  const gates = FAILED.gates.map((gate) => ({ ...gate, log_tail: text }));
  const answers = {
    "GET /v1/checks/7": { ...FAILED, gates },
    "GET /v1/checks/7/logs": [{ gate: "test", text: `${text}\u001b[2J` }],
  };
  const world = { answers, columns: 80 };
  expect((await pawlOnTty(["ci", "logs", "7"], world)).stdout).toBe(text);
  expect((await pawlOnTty(["ci", "failures", "7"], world)).stdout).toContain(`\n${text}`);
});
