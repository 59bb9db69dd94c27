import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

test.each([
  ["30 min", 1_800_000],
  ["24h", 86_400_000],
  ["90s", 90_000],
  ["1h 30m", 5_400_000],
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["250ms", 250],
  ["2 Days", 172_800_000],
  [" 1 week ", 604_800_000],
  ["0s", 0],
])("%j is %d ms", (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs);
});

test.each(["", "30", "min", "-5s", "5 parsecs", "1h,30m", "1e3s", "1..5h", "5 constructor"])(
  "%j is no duration",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test("a duration too large to count in milliseconds is refused", () => {
  expect(parseDuration("99999999999999 weeks")).toBeUndefined();
});

test.each([
  [0, "0ms"],
  [850, "850ms"],
  [1000, "1s"],
  [59_999, "59s"],
  [123_000, "2m 3s"],
  [120_000, "2m"],
  [3_600_000, "1h"],
  [3_605_000, "1h"],
  [100_800_000, "1d 4h"],
  [-123_000, "-2m 3s"],
])("%d ms reads %j", (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test("a formatted duration of at most two units can be read back", () => {
  for (const durationMs of [0, 999, 1000, 61_000, 3_660_000, 90_000_000]) {
    expect(parseDuration(formatDuration(durationMs))).toBe(durationMs);
  }
});
