import { expect, test } from "vitest";
import { commitId } from "../../core/ids.ts";
import { formatNote, parseFacts, parsePlace, reasonOf } from "./checkpoint-note.ts";

const FIRST = { number: 1, after: undefined, skipped: [], partial: [] };

test("what a note records is read back, odd paths included", () => {
  const [a, b] = [commitId("a".repeat(40)), commitId("b".repeat(40))];
  const facts = {
    head: a,
    branch: "refs/heads/pawl/1",
    refs: new Map([["refs/heads/pawl/1", a]]),
    objects: new Map([["refs/tags/v1", b]]),
    kept: [b],
    also: [a],
    extra: b,
    nested: new Map([
      ["caf\u00e9", a],
      ['with space\nand "line"', b],
    ]),
  };
  const text = formatNote("before\nthe kill", FIRST, facts);
  expect(text.split("\n")[0]).toBe("checkpoint: before the kill");
  expect(parseFacts(text)).toEqual(facts);
});

test("a note of nothing is read back as nothing", () => {
  const facts = {
    head: undefined,
    branch: undefined,
    refs: new Map(),
    objects: new Map(),
    kept: [],
    also: [],
    extra: undefined,
    nested: new Map(),
  };
  expect(parseFacts(formatNote("first", FIRST, facts))).toEqual(facts);
});

test("where a checkpoint stands in its chain is read back, and why it was made", () => {
  const place = { number: 8, after: 7, skipped: ["a b", "pipe"], partial: ["a b"] };
  const facts = {
    head: undefined,
    branch: undefined,
    refs: new Map(),
    objects: new Map(),
    kept: [],
    also: [],
    extra: undefined,
    nested: new Map(),
  };
  const text = formatNote("session 2 ended", place, facts);
  expect(parsePlace(text)).toEqual(place);
  expect(reasonOf(text)).toBe("session 2 ended");
  expect(reasonOf("Add a feature")).toBeUndefined();
});
