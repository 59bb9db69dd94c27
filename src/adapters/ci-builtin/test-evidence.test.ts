import { expect, test } from "vitest";
import { createTestEvidence } from "./test-evidence.ts";

function judge(...chunks: string[]): boolean {
  const evidence = createTestEvidence();
  for (const chunk of chunks) evidence.push(chunk);
  return evidence.noTestExecuted();
}

test.each([
  ["pytest", "collected 0 items\n\n===== no tests ran in 0.01s =====\n"],
  ["pytest -q", "\nno tests ran in 0.00s\n"],
  ["unittest", "\nRan 0 tests in 0.000s\n\nOK\n"],
  ["node:test", "ℹ tests 0\nℹ suites 0\nℹ pass 0\n"],
  ["node:test as TAP", "TAP version 13\n1..0\n# tests 0\n# pass 0\n"],
  ["vitest", "No test files found, exiting with code 0\n"],
  ["jest", "No tests found, exiting with code 0\n"],
  ["mocha", "\n\n  0 passing (1ms)\n\n"],
  ["go", "?   \texample.org/a\t[no test files]\n?   \texample.org/b\t[no test files]\n"],
  ["go -run", "ok  \texample.org/a\t0.001s [no tests to run]\n"],
  ["cargo", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n\nrunning 0 tests\n"],
  ["colours", "\u001b[34mℹ tests 0\u001b[39m\n"],
])("%s says that nothing ran", (_runner, output) => {
  expect(judge(output)).toBe(true);
});

test.each([
  ["pytest", "===== 3 passed, 1 skipped in 0.12s =====\n"],
  ["unittest", "Ran 3 tests in 0.000s\n\nOK\n"],
  ["node:test", "ℹ tests 2\nℹ pass 2\n"],
  ["vitest", " Test Files  1 passed (1)\n      Tests  2 passed (2)\n"],
  ["mocha", "  12 passing (1ms)\n"],
  ["go, some packages", "?   \tx/a\t[no test files]\nok  \tx/b\t0.002s\n"],
  ["go, cached", "?   \tx/a\t[no test files]\nok  \tx/b\t(cached)\n"],
  ["cargo, doc tests last", "running 4 tests\ntest a ... ok\n\nrunning 0 tests\n"],
  ["two runners", "No test files found, exiting with code 0\nRan 3 tests in 0.1s\n"],
  ["a build", "compiled 0 errors\n"],
  ["nothing at all", ""],
])("%s ran something, or does not say", (_runner, output) => {
  expect(judge(output)).toBe(false);
});

test("a line that arrives in pieces is judged whole", () => {
  expect(judge("# te", "sts 0")).toBe(true);
  expect(judge("running ", "1", "0 tests\n", "running 0 tests\n")).toBe(false);
});

test("a line without an end is held within a bound", () => {
  expect(judge("x".repeat(5_000_000), "\n# tests 0\n")).toBe(true);
});
