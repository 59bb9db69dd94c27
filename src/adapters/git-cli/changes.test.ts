import { expect, test } from "vitest";
import { Changes } from "./changes.ts";

/** As after a first look at everything. */
function looked(): Changes {
  const changes = new Changes();
  expect(changes.take(0)).toBeUndefined();
  return changes;
}

test("after a look at everything only what changed is looked at, once", () => {
  const changes = looked();
  changes.add("a.txt");
  changes.add("dir/b.txt");
  changes.add("a.txt");
  expect(changes.take(1)).toEqual(["a.txt", "dir/b.txt"]);
  expect(changes.take(2)).toEqual([]);
});

test("everything is looked at every minute, whatever was seen", () => {
  const changes = looked();
  expect(changes.take(60_000)).toEqual([]);
  expect(changes.take(60_001)).toBeUndefined();
  expect(changes.take(60_002)).toEqual([]);
});

test.each([
  ["something without a name", (changes: Changes) => changes.addUnknown()],
  ["a rule about what is ignored", (changes: Changes) => changes.add("dir/.gitignore")],
  ["a repository that came or went", (changes: Changes) => changes.add("dir/.git")],
  ["a name that is not UTF-8", (changes: Changes) => changes.add("a\uFFFDb")],
  [
    "more than is worth it",
    (changes: Changes) => {
      for (let number = 0; number < 201; number += 1) changes.add(`f${number}`);
    },
  ],
])("%s changed: everything is looked at", (_, change) => {
  const changes = looked();
  change(changes);
  expect(changes.take(1)).toBeUndefined();
  expect(changes.take(2)).toEqual([]);
});
