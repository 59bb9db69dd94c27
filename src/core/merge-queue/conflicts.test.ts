import { expect, test } from "vitest";
import { commitId } from "../ids.ts";
import { queued } from "../../../test/support/queue-world.ts";
import { conflictWith, matrixOf, withConflicts } from "./conflicts.ts";

const [a, b, c] = [queued("a"), queued("b"), queued("c")];
const fact = (x: string, y: string, file: string) => ({
  a: commitId(x),
  b: commitId(y),
  files: [file],
});

test("a conflict is found from either side", () => {
  const matrix = matrixOf([fact("a", "b", "f")]);
  expect(conflictWith(matrix, a, [c, b])?.entry).toBe(b);
  expect(conflictWith(matrix, b, [a])?.files).toEqual(["f"]);
  expect(conflictWith(matrix, c, [a, b])).toBeUndefined();
});

test("a pair that is seen again is one fact, the latest", () => {
  const facts = withConflicts([fact("a", "b", "old")], [fact("b", "a", "new")], [a, b]);
  expect(facts).toEqual([fact("b", "a", "new")]);
});

test("conflicts with heads that have left are forgotten", () => {
  expect(withConflicts([fact("a", "b", "f")], [fact("a", "gone", "f")], [a, c])).toEqual([]);
});

test("the files of a conflict are bounded", () => {
  const files = Array.from({ length: 100 }, (_, index) => `f${index}`);
  const [kept] = withConflicts([], [{ a: a.head, b: b.head, files }], [a, b]);
  expect(kept?.files.length).toBe(20);
});
