import { expect, test } from "vitest";
import { advanced, parseStatusline, provesLife } from "./statusline.ts";

// The decision matrix, row by row: other checks say "stuck" in all of them.
test.each<[string | undefined, string | undefined, "alive" | "stuck"]>([
  ["10:00:00", "10:01:00", "alive"],
  ["10:00:00", "10:00:00", "stuck"],
  [undefined, "10:00:00", "alive"],
  [undefined, undefined, "stuck"],
])("the statusline gate: %s, then %s, is %s", (previous, current, result) => {
  expect(provesLife(previous, current)).toBe(result === "alive");
});

test.each<[string, string, boolean]>([
  ["23:59:59", "00:00:01", true],
  ["00:00:01", "23:59:59", false],
  ["10:00:00", "09:59:59", false],
  ["10:00:00", "21:59:59", true],
  ["10:00:00", "22:00:01", false],
])("from %s to %s the clock has advanced: %s", (previous, current, result) => {
  expect(advanced(previous, current)).toBe(result);
});

test.each<[string, string | undefined, number | undefined]>([
  ["pawl | ctx(42%) | 10:00:05", "10:00:05", 42],
  ["text\n  pawl | ctx(7%) | 23:59:59  \n\n> ", "23:59:59", 7],
  ["old | ctx(1%) | 09:00:00\nnew | ctx(2%) | 10:00:00", "10:00:00", 2],
  ["pawl | 10:00:05", "10:00:05", undefined],
  ["pawl | ctx(999%) | 10:00:05", "10:00:05", undefined],
  ["pawl | ctx(42%) | 10:00:05 | auto-accept edits on", "10:00:05", 42],
  ["pawl | ctx(42%) | 10:00:05 ⏵⏵ bypass permissions", "10:00:05", 42],
  ["10:00:05 | pawl | ctx(42%)", "10:00:05", 42],
  ["pawl | took 110:00:05 | 10:00:05.123", undefined, undefined],
  ["it took 10:00:05", undefined, undefined],
  ["pawl | ctx(4%) | 25:00:00", undefined, undefined],
  ["Done for 3m", undefined, undefined],
  ["", undefined, undefined],
])("%j shows %s and %s", (text, clock, percent) => {
  expect(parseStatusline(text)).toEqual({ clock, percent });
});
