import { expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import { formatNote, parseFacts } from "./checkpoint-note.ts";

test("what a note records is read back, odd paths included", () => {
  const [a, b] = [commitId("a".repeat(40)), commitId("b".repeat(40))];
  const facts = {
    head: a,
    branch: "refs/heads/pawl/1",
    refs: new Map([["refs/heads/pawl/1", a]]),
    kept: [b],
    nested: new Map([['with space\nand "line"', b]]),
  };
  const text = formatNote("before\nthe kill", facts);
  expect(text.split("\n")[0]).toBe("checkpoint: before the kill");
  expect(parseFacts(text)).toEqual(facts);
});

test("a note of nothing is read back as nothing", () => {
  const facts = {
    head: undefined,
    branch: undefined,
    refs: new Map(),
    kept: [],
    nested: new Map(),
  };
  expect(parseFacts(formatNote("first", facts))).toEqual(facts);
});
