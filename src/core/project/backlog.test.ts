import { expect, test } from "vitest";
import { dependencies } from "../../lib/issue-dependencies.ts";
import { cycles, inOrder, newsOf, withNews, readiness, type IssueFacts } from "./backlog.ts";

const issue = (change: Partial<IssueFacts> = {}): IssueFacts => ({
  number: 1,
  title: "Issue",
  labels: ["backlog"],
  createdAt: 0,
  unmet: [],
  ...change,
});

test.each([
  ["under a heading", "## Dependencies\n- #12\n- #3\n\n## Notes\n#99", [3, 12]],
  ["in any case, also of the other names", "# BLOCKED BY:\n#4\n## depends on ##\n#5", [4, 5]],
  ["inline", "This depends on #7 and #8.\nBlocked by #9.\nSee #10.", [7, 8, 9]],
  ["not in code", "```\ndepends on #1\n```\ndepends on #2", [2]],
  ["not in code that quotes other fences", "~~~~\n```\n~~~\ndepends on #1\n~~~~\n", []],
  ["not in other repositories", "depends on org/repo#1, depends on #2", [2]],
  ["not on itself", "depends on #42 and #2", [2]],
  ["with Windows line ends", "## Depends on\r\n- #6\r\n", [6]],
  ["once each", "depends on #2\nblocked by #2", [2]],
  ["below a smaller heading as well", "## Dependencies\n### Code\n#2", [2]],
  ["none", "", []],
])("dependencies are found %s", (_, body, found) => {
  expect(dependencies(body, 42)).toEqual(found);
});

test("a body of ten megabytes is read without delay, also as one line", () => {
  const size = 10 * 1024 * 1024;
  const line = `# a${" ".repeat(size)}b depends on #7`;
  expect(dependencies(line)).toEqual([7]);
  expect(dependencies("#\n".repeat(100_000))).toEqual([]);
});

test.each([
  [["backlog"], [], "ready"],
  [["backlog", "tech-debt", "priority"], [], "ready"],
  [["backlog"], [3], "waits"],
  [["backlog", "blocked"], [], "blocked"],
  [["backlog", "in-progress"], [], "in-progress"],
  [["backlog", "action"], [], "other-role"],
  [["backlog", "underspecified"], [], "other-role"],
  [["prediction/backlog"], [], "other-role"],
  [[], [], "not-backlog"],
])("an issue with labels %j that waits for %j is: %s", (labels, unmet, kind) => {
  expect(readiness(issue({ labels, unmet })).kind).toBe(kind);
});

test("priority goes first, then the oldest, then the smallest number", () => {
  const issues = [
    issue({ number: 4, createdAt: 5 }),
    issue({ number: 3, createdAt: 1 }),
    issue({ number: 2, createdAt: 1 }),
    issue({ number: 9, createdAt: 9, labels: ["backlog", "priority"] }),
  ];
  expect(inOrder(issues).map(({ number }) => number)).toEqual([9, 2, 3, 4]);
});

test("issues that wait for each other in a ring are found, others are not", () => {
  const found = cycles([
    { number: 1, unmet: [2] },
    { number: 2, unmet: [3] },
    { number: 3, unmet: [2] },
    { number: 4, unmet: [4] },
    { number: 5, unmet: [1, 99] },
  ]);
  expect(found).toEqual([[2, 3], [4]]);
});

test.each<Partial<IssueFacts>>([
  { number: 2 },
  { title: "Another" },
  { labels: ["backlog", "priority"] },
  { labels: ["blocked"] },
  { createdAt: 1 },
  { unmet: [7] },
])("a backlog is new where an issue has become %o", (change) => {
  const changed = issue(change);
  expect(newsOf([issue()], [issue()])).toEqual({ issues: [], gone: [] });
  const { issues, gone } = newsOf([issue()], [changed]);
  expect(issues).toEqual([changed]);
  expect(gone).toEqual(changed.number === issue().number ? [] : [issue().number]);
});

test("only what is new is told, and with it the backlog is the list", () => {
  const known = [1, 2, 3].map((number) => issue({ number }));
  const open = [issue({ number: 2, title: "Another" }), issue({ number: 4 }), issue({ number: 1 })];
  const news = newsOf(known, [...open, open[1] ?? issue()]);
  expect(news).toEqual({ issues: open.slice(0, 2), gone: [3] });
  expect(withNews(known, news)).toEqual(inOrder(open));
  const nothing = newsOf(known, known.toReversed());
  expect(withNews(known, nothing)).toBe(known);
});
