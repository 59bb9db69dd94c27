// Whether the output of a gate shows that its runner executed no test at all: such a run exits 0
// with many runners, and a test that could not run is a failed test. Only runners that say so are
// judged, and one executed test anywhere in the output is enough.

/** Lines that common runners print when there was nothing to run. */
const NONE = [
  /^=* ?no tests ran(?: in [\d.]+s)?/, // pytest
  /^Ran 0 tests in /, // unittest
  /^(?:#|ℹ) tests 0$/, // node:test
  /^No test files found/, // vitest
  /^No tests found, exiting with code/, // jest
  /^Tests:\s+0 total$/, // jest
  /^0 passing/, // mocha
  /^\?\s+\S+\s+\[no test files\]$/, // go
  /^ok\s+\S+\s+\S+\s+\[no tests to run\]$/, // go
  /^running 0 tests$/, // cargo
  /^1\.\.0(?:\s|$)/, // TAP
];

/** Lines that they print when at least one test was executed. */
const SOME = [
  /^=+ .*\b[1-9]\d* (?:passed|failed|errors?|xfailed|xpassed)\b/, // pytest
  /^(?:\d+ \w+, )*[1-9]\d* (?:passed|failed)\b.* in [\d.]+s/, // pytest -q
  /^Ran [1-9]\d* tests? in /, // unittest
  /^(?:#|ℹ) tests [1-9]/, // node:test
  /^Tests\s+.*\b[1-9]\d* (?:passed|failed)/, // vitest
  /^Tests:\s+.*\b[1-9]\d* (?:passed|failed)/, // jest
  /^[1-9]\d* (?:passing|failing)/, // mocha
  /^ok\s+\S+\s+(?:\S+s|\(cached\))(?:\s+coverage:.*)?$/, // go
  /^--- (?:PASS|FAIL): /, // go -v
  /^running [1-9]\d* tests?$/, // cargo
  /^(?:not )?ok [1-9]\d*\b/, // TAP
];

const LINE_CHARS_MAX = 2000;
// oxlint-disable-next-line no-control-regex
const ESCAPE = /\u001b\[[0-9;:]*[A-Za-z]/g;

export type TestEvidence = {
  push(chunk: string): void;
  /** True when a runner said that it had nothing to run, and none said that it ran anything. */
  noTestExecuted(): boolean;
};

export function createTestEvidence(): TestEvidence {
  let rest = "";
  let isNone = false;
  let isSome = false;

  const judge = (raw: string): void => {
    const line = raw.replaceAll(ESCAPE, "").trim();
    isSome ||= SOME.some((pattern) => pattern.test(line));
    isNone ||= NONE.some((pattern) => pattern.test(line));
  };

  return {
    push: (chunk) => {
      // After one executed test there is nothing left to learn.
      if (isSome) return;
      const lines = (rest + chunk).split(/[\r\n]+/);
      rest = (lines.pop() ?? "").slice(0, LINE_CHARS_MAX);
      for (const line of lines) if (line.length <= LINE_CHARS_MAX) judge(line);
    },
    noTestExecuted: () => {
      judge(rest);
      return isNone && !isSome;
    },
  };
}
