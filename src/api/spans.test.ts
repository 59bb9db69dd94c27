import { expect, test } from "vitest";
import { parseDuration } from "../lib/duration.ts";
import { plainSpans, relativeText, spanText, withSpans } from "./spans.ts";

test.each([
  [0, "0 ms"],
  [850, "850 ms"],
  [1000, "1 s"],
  [1500, "1 s"],
  [59_999, "59 s"],
  [123_000, "2 min 3 s"],
  [120_000, "2 min"],
  [3_600_000, "1 h"],
  [3_605_000, "1 h"],
  [86_340_000, "23 h 59 min"],
  [100_800_000, "1 day 4 h"],
  [180_000_000, "2 days 2 h"],
  [-123_000, "-2 min 3 s"],
])("%d ms reads %j", (durationMs, text) => {
  expect(spanText(durationMs)).toBe(text);
});

test("a span can be written into pawl.toml as it is read", () => {
  for (const durationMs of [0, 999, 1000, 61_000, 3_660_000, 90_000_000, 180_000_000]) {
    expect(parseDuration(spanText(durationMs))).toBe(durationMs);
  }
});

test.each([
  [0, "just now"],
  [999, "just now"],
  [5_000, "5 s ago"],
  [185_000, "3 min ago"],
  [7_200_000, "2 h ago"],
  [86_400_000, "1 day ago"],
  [200_000_000, "2 days ago"],
  [-7_200_000, "in 2 h"],
  [-86_399_000, "in 23 h 59 min"],
])("%d ms back reads %j", (agoMs, text) => {
  const now = 1_800_000_000_000;
  expect(relativeText(now - agoMs, now)).toBe(text);
});

test("a short text of Pawl's own gets the same form", () => {
  expect(withSpans("every 1d 4h")).toBe("every 1 day 4 h");
  expect(withSpans("cooldown 30m")).toBe("cooldown 30 min");
  expect(withSpans("cron 0 3 * * 1 Europe/Berlin")).toBe("cron 0 3 * * 1 Europe/Berlin");
});

test("of a reason, only Pawl's own words are rewritten", () => {
  const stuck = "stuck: no sign of life or work for 10m 2s, again";
  expect(plainSpans(stuck)).toBe("stuck: no sign of life or work for 10 min 2 s, again");
  expect(plainSpans("a: it did not finish within 1m: 30s left")).toBe(
    "a: it did not finish within 1 min: 30s left",
  );
  expect(plainSpans("should the timeout be 30s?")).toBe("should the timeout be 30s?");
});
