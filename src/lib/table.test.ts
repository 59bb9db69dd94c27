import { expect, test } from "vitest";
import { formatTable, formatTsv } from "./table.ts";
import { textWidth } from "./text-width.ts";

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
  expect(formatTable(COLUMNS, rows, 80)).toBe(
    ["ISSUE  TITLE        STATE", "    7  Add a queue  working", "   42  Fix it", ""].join("\n"),
  );
});

test("wide characters and emoji keep the columns aligned", () => {
  const rows = [
    ["1", "漢字", "working"],
    ["2", "🚀 go", "waiting"],
    ["3", "plain", "done"],
  ];
  const lines = formatTable(COLUMNS, rows, 80).trimEnd().split("\n");
  const stateAt = lines.map((line) => textWidth(line.slice(0, line.search(/\S+$/))));
  expect(new Set(stateAt).size).toBe(1);
});

test("a table wider than the terminal is cut in the columns that allow it", () => {
  const rows = [["7", "A title that goes on and on", "working"]];
  const table = formatTable(COLUMNS, rows, 30);
  expect(table).toMatchInlineSnapshot(`
    "ISSUE  TITLE           STATE
        7  A title that …  working
    "
  `);
  for (const line of table.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(30);
});

test("a column is left out before another is cut below its least width", () => {
  const rows = [["7", "A title that goes on and on", "working"]];
  const [, line] = formatTable(COLUMNS, rows, 22).split("\n");
  expect(line).toBe("    7  A title that g…");
});

test("the column that matters least is left out first", () => {
  const columns = [
    { title: "a" },
    { title: "b", drop: 1 },
    { title: "c", drop: 2 },
    { title: "d" },
  ];
  const rows = [["aaaa", "bbbb", "cccc", "dddd"]];
  const shown = (width: number): string => formatTable(columns, rows, width).split("\n")[1] ?? "";
  expect(shown(22)).toBe("aaaa  bbbb  cccc  dddd");
  expect(shown(21)).toBe("aaaa  bbbb  dddd");
  expect(shown(12)).toBe("aaaa  dddd");
  expect(shown(7)).toBe("a…  dd…");
});

test("a column without a value is left out", () => {
  const columns = [{ title: "a" }, { title: "b" }, { title: "c" }];
  expect(formatTable(columns, [["1", "", "3"]], 80)).toBe("A  C\n1  3\n");
});

test("a path is cut from the left", () => {
  const columns = [{ title: "a" }, { title: "path", widthMin: 5, cut: "left" as const }];
  expect(formatTable(columns, [["1", "/home/ada/toy"]], 12)).toBe("A  PATH\n1  …/ada/toy\n");
});

test("a line break in a value does not break the row", () => {
  expect(formatTable([{ title: "note" }], [["one\n  two\tthree"]], 80)).toBe(
    "NOTE\none two three\n",
  );
});

test("a missing value is an empty cell", () => {
  const rows = [["1"], ["1", "2"]];
  expect(formatTable([{ title: "a" }, { title: "b" }], rows, 80)).toBe("A  B\n1\n1  2\n");
});

test("pipes get every value whole, separated by tabs", () => {
  expect(formatTsv([["7", "A title that goes on and on".repeat(10), ""]])).toBe(
    `7\t${"A title that goes on and on".repeat(10)}\t\n`,
  );
});

test("tabs, line breaks and backslashes in a value are escaped for pipes", () => {
  expect(formatTsv([["a\tb", "c\nd\re", "f\\n"]])).toBe("a\\tb\tc\\nd\\re\tf\\\\n\n");
});

test("no rows give a pipe nothing", () => {
  expect(formatTsv([])).toBe("");
});
