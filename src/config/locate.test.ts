import { expect, test } from "vitest";
import { locateKeys } from "./locate.ts";

const TEXT = `# [project]
title = "a # b = c"
"quoted key".'and this' = 1

[project]
text = """
name = "not a key"
[nor.a.table]
"""
raw = '''
x = 1'''
name = "x"

[ci]
keep = [ # list = 1
  "a",
  ["b", "c"], { d = 1,
  e = 2 },
]
[[ci.gates]]
name = "one"
[ci.gates.env]
A = 1
[[ci.gates]]
a.b.c = 1979-05-27T07:32:00Z
name = "two"
`;

test.each([
  [["title"], 2],
  [["quoted key", "and this"], 3],
  [["project"], 5],
  [["project", "text"], 6],
  [["project", "raw"], 10],
  [["project", "name"], 12],
  [["ci", "keep"], 15],
  [["ci", "keep", 0], 16],
  [["ci", "keep", 1, 1], 17],
  [["ci", "keep", 2, "d"], 17],
  [["ci", "keep", 2, "e"], 18],
  [["ci", "gates"], 20],
  [["ci", "gates", 0, "name"], 21],
  [["ci", "gates", 0, "env", "A"], 23],
  [["ci", "gates", 1], 24],
  [["ci", "gates", 1, "a", "b", "c"], 25],
  [["ci", "gates", 1, "name"], 26],
])("%j is on line %d", (path, line) => {
  expect(locateKeys(TEXT)(path)).toBe(line);
});

test("a key that is not written is found at its table", () => {
  expect(locateKeys(TEXT)(["project", "target"])).toBe(5);
  expect(locateKeys(TEXT)(["ci", "gates", 1, "command"])).toBe(24);
  expect(locateKeys(TEXT)(["agent"])).toBe(1);
});

test("line ends of Windows count once", () => {
  expect(locateKeys("[a]\r\nb = 1\r\nc = 2\r\n")(["a", "c"])).toBe(3);
});

test.each(["[", "a", "a = [", "a = {", "a = {b", '"', "a = '''x", "]]", "= 1", "a = {,,}"])(
  "the scanner ends on broken text %j",
  (text) => {
    expect(locateKeys(text)(["a"])).toBe(1);
  },
);
