import { expect, test } from "vitest";
import { isCandidate, isGreen } from "./candidate.ts";

test.each([
  ["Fix it", "main", "fix", true],
  ["Wipe the cache", "main", "wipe", true],
  ["WIP: fix it", "main", "fix", false],
  ["[wip] fix it", "main", "fix", false],
  ["Draft: fix it", "main", "fix", false],
  ["Fix it", "release", "fix", false],
  ["Fix it", "main", "pawl/3-fix", false],
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
