import { expect, test } from "vitest";
import { durationIn, saidDuration } from "./said-duration.ts";

test.each([
  ["Please try again in 358ms. Visit the site", 358],
  ["try again in 20 milliseconds", 20],
  ["retry in 41.5s", 41_500],
  ["try again in 30 minutes", 1_800_000],
  ["reset after 2h5m", 7_500_000],
  ["Please try again in 6m0s.", 360_000],
  ["try again in 2 days", 172_800_000],
  ["try again in 1 hour 5 mins", 3_900_000],
  ["try again in 5 months", undefined],
  ["listed in 3 models", undefined],
  ["try again later", undefined],
])("%j says %s ms", (text, expected) => {
  expect(saidDuration(text)).toBe(expected);
});

test("a text that is no duration as a whole is none", () => {
  expect(durationIn("6m0s")).toBe(360_000);
  expect(durationIn("12ms")).toBe(12);
  expect(durationIn("soon, in 12ms")).toBeUndefined();
  expect(durationIn("")).toBeUndefined();
});
