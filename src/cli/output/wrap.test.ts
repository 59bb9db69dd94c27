import { expect, test } from "vitest";
import { wrapLines, wrapped } from "./wrap.ts";

test("a line that fits stays as it is, with its spaces", () => {
  expect(wrapLines("a  b   c\n  d", 20)).toBe("a  b   c\n  d");
});

test("a long line is broken between words and continues with a larger indent", () => {
  expect(wrapLines("  one two three four", 11)).toBe("  one two\n    three\n    four");
});

test("a command in backticks is not broken", () => {
  expect(wrapLines("start it with `pawl up` or not", 20)).toBe("start it with\n  `pawl up` or not");
  expect(wrapLines("it was removed (`git branch x` makes it)", 28)).toBe(
    "it was removed\n  (`git branch x` makes it)",
  );
});

test("a path or a command that is wider than the terminal is broken at its separators", () => {
  expect(wrapLines("whole output: /home/ada/.local/state/pawl/queue_hello_check.log", 30)).toBe(
    "whole output: /home/ada/.\n  local/state/pawl/queue_\n  hello_check.log",
  );
  expect(wrapLines("(`sh on-ci-failure of the issue`)", 16)).toBe(
    "(`sh on-ci-\n  failure of the\n  issue`)",
  );
});

test("where no whole screen must fit, such a path stays whole on a line of its own, to be copied", () => {
  const path = "/home/ada/.local/state/pawl/queue_hello_check.log";
  const line = `whole output: ${path} (\`pawl ci logs red\`)`;
  expect(wrapped({ isTty: true, columns: 30 }, line)).toBe(
    `whole output:\n  ${path}\n  (\`pawl ci logs red\`)`,
  );
});

test("a link that is wider than the terminal stays whole", () => {
  expect(wrapLines("see https://example.org/long now", 10)).toBe(
    "see\n  https://example.org/long\n  now",
  );
});

test("a number stays with its unit on one line", () => {
  expect(wrapLines("sent back: it fails there (1 h 59 min ago)", 36)).toBe(
    "sent back: it fails there\n  (1 h 59 min ago)",
  );
  expect(wrapLines("workspaces 0.5 MB, caches", 14)).toBe("workspaces\n  0.5 MB,\n  caches");
});

test("a coloured line continues with the indent that it is seen to have", () => {
  expect(wrapLines("\u001b[2m    one two three\u001b[0m", 12)).toBe(
    "\u001b[2m    one two\n      three\u001b[0m",
  );
});

test("a line neither ends nor continues with the separator of its parts", () => {
  expect(wrapLines("0 of 3 at work · $0.25 in 1 s · next: #7", 31)).toBe(
    "0 of 3 at work · $0.25 in 1 s\n  next: #7",
  );
  expect(wrapLines("0 of 3 at work · $0.25 in 1 s · next: #7", 29)).toBe(
    "0 of 3 at work · $0.25 in 1 s\n  next: #7",
  );
});
