import { expect, test } from "vitest";
import { formatTsv } from "./table.ts";

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
