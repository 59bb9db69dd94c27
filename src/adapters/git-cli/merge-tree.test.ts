import { expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import { parseBatch } from "./merge-tree.ts";

const [a, b, c] = ["a", "b", "c"].map((letter) => commitId(letter.repeat(40)));
const tree = "0123456789".repeat(4);
const pairs = [
  { a: a!, b: b! },
  { a: a!, b: c! },
  { a: b!, b: c! },
];

test("each merge of a batch has its own answer", () => {
  const text = `0\0${tree}\0f\0dir/g\0f\0\0` + `1\0${tree}\0\0` + `0\0${tree}\0\0`;
  expect(parseBatch(text, pairs)).toEqual([
    { a, b, files: ["f", "dir/g"] },
    // A conflict without files is a conflict all the same.
    { a: b, b: c, files: [] },
  ]);
});

test("an answer that is missing is an error, not a clean merge", () => {
  const text = `1\0${tree}\0\0` + `1\0${tree}\0\0`;
  expect(() => parseBatch(text, pairs)).toThrow(/no answer/);
});
