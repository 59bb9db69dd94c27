import { expect, test } from "vitest";
import { parseReport } from "./report.ts";

test("a JUnit report is counted with every kind of attribute", () => {
  const text = `<?xml version="1.0"?>
<testsuites tests="99"><testsuite name="a">
<testcase classname="math" name="1 &lt; 2 &amp; 3 > 2" time="0.1"/>
<testcase name='fails'><failure message="no">at x.ts/y</failure></testcase>
<testcase name="breaks"><error/></testcase>
<testcase name="later"><skipped/></testcase>
<testcase name="with/slash" file="/a/b.ts"></testcase>
</testsuite></testsuites>`;
  expect(parseReport(text)).toEqual({
    total: 5,
    failed: 2,
    skipped: 1,
    failures: ["fails", "breaks"],
  });
  expect(parseReport(text.replace("fails", "&quot;q&quot;"))?.failures[0]).toBe('"q"');
});

test("a JUnit report without tests counts none", () => {
  expect(parseReport('<testsuites name="x" tests="0"/>')).toMatchObject({ total: 0, failed: 0 });
});

test("a TAP report is counted at its top level, with its directives", () => {
  const text = `TAP version 14
1..5
    not ok 1 - inside
not ok 1 - the outer one
ok 2 - fine
ok 3 - later # SKIP no network
not ok 4 - some day # todo
ok 5
`;
  expect(parseReport(text)).toEqual({
    total: 5,
    failed: 1,
    skipped: 2,
    failures: ["the outer one"],
  });
  expect(parseReport("1..0 # nothing\n")).toMatchObject({ total: 0 });
  expect(parseReport("ok 1\nBail out! no database\n")).toMatchObject({ total: 2, failed: 1 });
});

test("something else is no report", () => {
  expect(parseReport("all is well\n")).toBeUndefined();
});
