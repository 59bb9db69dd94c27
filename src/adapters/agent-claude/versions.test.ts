import { expect, test } from "vitest";
import { isOlder } from "./versions.ts";

test.each([
  ["2.1.197", "2.1.325", true],
  ["2.1.325", "2.1.325", false],
  ["2.2.0", "2.1.325", false],
  ["2.1.99", "2.1.100", true],
  ["1.9.9", "2.0.0", true],
  ["3", "2.1.325", false],
])("%s older than %s: %s", (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});
