import { expect, test } from "vitest";
import { linesAfter } from "./lines-after.ts";

test.each<[string, string[], string[], string[]]>([
  ["what was added", ["a", "b"], ["a", "b", "c"], ["c"]],
  ["nothing, if nothing was", ["a"], ["a"], []],
  [
    "what was added to a log whose beginning was cut off",
    ["a", "b", "c", "d"],
    ["c", "d", "e"],
    ["c", "d", "e"],
  ],
  ["what follows the last lines shown", ["a", "b", "c", "d"], ["b", "c", "d", "e"], ["e"]],
  [
    "what follows lines that were drawn again",
    ["x", "b", "c", "d"],
    ["y", "b", "c", "d", "e"],
    ["e"],
  ],
  ["everything, at first", [], ["a"], ["a"]],
])("it is %s", (...[, before, now, expected]) => {
  expect(linesAfter(before, now)).toEqual(expected);
});
