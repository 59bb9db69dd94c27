import { expect, test } from "vitest";
import { textWidth } from "../../lib/text-width.ts";
import { cutAfterWord, cutToFill, cutBeforePart, layTable } from "./table.ts";

const COLUMNS = [
  { title: "issue", align: "right" },
  { title: "title", widthMin: 10 },
  { title: "state" },
] as const;

test("columns are aligned and lines have no trailing spaces", () => {
  const rows = [
    ["7", "Add a queue", "working"],
    ["42", "Fix it", ""],
  ];
  expect(layTable(COLUMNS, rows, 80)).toEqual({
    text: ["ISSUE  TITLE        STATE", "    7  Add a queue  working", "   42  Fix it", ""].join(
      "\n",
    ),
    shown: ["issue", "title", "state"],
    dropped: [],
    cut: [],
  });
});

test("wide characters and emoji keep the columns aligned", () => {
  const rows = [
    ["1", "漢字", "working"],
    ["2", "🚀 go", "waiting"],
    ["3", "plain", "done"],
  ];
  const lines = layTable(COLUMNS, rows, 80).text.trimEnd().split("\n");
  const stateAt = lines.map((line) => textWidth(line.slice(0, line.search(/\S+$/))));
  expect(new Set(stateAt).size).toBe(1);
});

test("a table wider than the terminal is cut after a word in the columns that allow it", () => {
  const rows = [["7", "A title that goes on and on", "working"]];
  const { text, cut, dropped } = layTable(COLUMNS, rows, 32);
  expect(text).toBe("ISSUE  TITLE             STATE\n    7  A title that …    working\n");
  expect({ cut, dropped }).toEqual({ cut: ["title"], dropped: [] });
  for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(32);
});

test("a column is left out, and named, before another is cut below its least width", () => {
  const rows = [["7", "A title that goes on and on", "working"]];
  const { text, dropped } = layTable(COLUMNS, rows, 22);
  expect(text.split("\n")[1]).toBe("    7  A title that …");
  expect(dropped).toEqual(["state"]);
});

test("the column that matters least is left out first", () => {
  const columns = [
    { title: "a" },
    { title: "b", drop: 1 },
    { title: "c", drop: 2 },
    { title: "d" },
  ];
  const rows = [["aaaa", "bbbb", "cccc", "dddd"]];
  const shown = (width: number): string => layTable(columns, rows, width).text.split("\n")[1] ?? "";
  expect(shown(22)).toBe("aaaa  bbbb  cccc  dddd");
  expect(shown(21)).toBe("aaaa  bbbb  dddd");
  expect(shown(12)).toBe("aaaa  dddd");
  expect(shown(7)).toBe("a…  dd…");
});

test("a column without a value is left out, and is not named", () => {
  const columns = [{ title: "a" }, { title: "b" }, { title: "c" }];
  const { text, dropped } = layTable(columns, [["1", "", "3"]], 80);
  expect(text).toBe("A  C\n1  3\n");
  expect(dropped).toEqual([]);
});

test("a line break in a value does not break the row; a missing value is an empty cell", () => {
  expect(layTable([{ title: "note" }], [["one\n  two\tthree"]], 80).text).toBe(
    "NOTE\none two three\n",
  );
  const rows = [["1"], ["1", "2"]];
  expect(layTable([{ title: "a" }, { title: "b" }], rows, 80).text).toBe("A  B\n1\n1  2\n");
});

test.each([
  ["the daemon died and was started again", 29, "the daemon died and was …"],
  ["the daemon died and was started again", 28, "the daemon died and was …"],
  ["CI failed, and the rest waits", 14, "CI failed …"],
  ["pawl/7-take-your-time", 16, "pawl/7-take-…"],
  ["in /home/ada/.local/state/pawl", 20, "in /home/ada/.…"],
  ["unbreakable", 6, "unbre…"],
  ["\u001b[31mfailed at once\u001b[39m", 12, "failed at …"],
])("%j in %i columns reads %j", (text, width, shown) => {
  expect(cutAfterWord(text, width)).toBe(shown);
});

test("a text that is cut leaves little of its column empty", () => {
  expect(cutToFill("Try the uninstallation", 16)).toBe("Try the uninsta…");
  expect(cutToFill("Count distinct words", 18)).toBe("Count distinct …");
  expect(cutToFill("Count words", 16)).toBe("Count words");
});

test("a path keeps the folders at its end", () => {
  expect(cutBeforePart("/home/ada/.local/state/pawl", 20)).toBe("…/.local/state/pawl");
  expect(cutBeforePart("/home/ada/.local/state/pawl", 18)).toBe("…/state/pawl");
  const columns = [{ title: "a" }, { title: "path", widthMin: 5, cut: "left" as const }];
  expect(layTable(columns, [["1", "/home/ada/toy"]], 12).text).toBe("A  PATH\n1  …/ada/toy\n");
});
