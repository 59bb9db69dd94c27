import { expect, test } from "vitest";
import { isUnderWay, type PrReview } from "./reviews.ts";

test.each([
  ["waiting", false],
  ["preparing", true],
  ["asked", true],
  ["posting", false],
  ["reviewed", false],
  ["failed", false],
  ["idle", false],
])("a PR that is %s takes a reviewer's place: %s", (kind, taken) => {
  expect(isUnderWay({ state: { kind } } as PrReview)).toBe(taken);
});
