import { expect, test } from "vitest";
import { mayConflict, touchedFrom } from "./touched-paths.ts";

const listed = new Map([
  ["a2", { parents: ["a1"], paths: ["src/x.ts"] }],
  ["a1", { parents: ["base"], paths: ["a.txt"] }],
  ["b", { parents: ["base"], paths: ["a.txt"] }],
  ["c", { parents: ["base"], paths: ["src"] }],
  ["d", { parents: ["base"], paths: ["src/y.ts"] }],
  ["merge", { parents: ["d", "b"], paths: [] }],
]);
const of = (head: string) => touchedFrom(listed, head);

test("a branch touches what all of its commits touch, also through a merge", () => {
  expect([...of("a2").paths].toSorted()).toEqual(["a.txt", "src/x.ts"]);
  expect([...of("merge").paths].toSorted()).toEqual(["a.txt", "src/y.ts"]);
});

test("branches may conflict in the same path, or where one has a file and the other a folder", () => {
  expect(mayConflict(of("a2"), of("b"))).toBe(true);
  expect(mayConflict(of("a2"), of("c"))).toBe(true);
  expect(mayConflict(of("c"), of("d"))).toBe(true);
  expect(mayConflict(of("b"), of("d"))).toBe(false);
});

test("what is not known, or touches too much, may conflict with everything", () => {
  const many = Array.from({ length: 5001 }, (_, index) => `f${index}`);
  const large = touchedFrom(new Map([["x", { parents: [], paths: many }]]), "x");
  expect(large.all).toBe(true);
  expect(mayConflict(large, of("b"))).toBe(true);
  expect(mayConflict(undefined, of("b"))).toBe(true);
});
