import { expect, test } from "vitest";
import { isCandidate, isGreen } from "./candidate.ts";

test.each([
  ["Mend it", "main", "mend", true],
  ["Wipe the cache", "main", "wipe", true],
  ["WIP: mend it", "main", "mend", false],
  ["[wip] mend it", "main", "mend", false],
  ["Draft: mend it", "main", "mend", false],
  ["Mend it", "release", "mend", false],
  ["Mend it", "main", "pawl/3-mend", false],
])("%j onto %s from %s is reviewed: %s", (...[title, target, branch, wanted]) => {
  expect(isCandidate({ title, target, branch }, "main")).toBe(wanted);
});

test.each([
  [[], false],
  [["success"], true],
  [["success", "pending"], false],
  [["failure"], false],
])("statuses %j are green: %s", (states, green) => {
  expect(isGreen(states.map((state) => ({ state })))).toBe(green);
});
