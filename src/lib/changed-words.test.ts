import fc from "fast-check";
import { expect, test } from "vitest";
import { changedWords, type Marked } from "./changed-words.ts";

const cut = (text: string, marked: Marked): string[] => marked.map(([a, b]) => text.slice(a, b));

test("only the words that differ are marked", () => {
  const [before, after] = ["const colour = red;", "const colour = dark.blue;"];
  const marked = changedWords(before, after);
  expect([cut(before, marked.before), cut(after, marked.after)]).toEqual([["red"], ["dark.blue"]]);
});

test("a line that was replaced altogether has no marks", () => {
  expect(changedWords("alpha", "beta")).toEqual({ before: [], after: [] });
});

test("what is not marked is the same in both lines", () => {
  const without = (text: string, marked: Marked): string =>
    marked.toReversed().reduce((rest, [a, b]) => rest.slice(0, a) + rest.slice(b), text);
  const line = fc.array(fc.constantFrom("a", "b", " ", "(", "ü", "x1"), { maxLength: 20 });
  fc.assert(
    fc.property(line, line, (a, b) => {
      const [before, after] = [a.join(""), b.join("")];
      const marked = changedWords(before, after);
      if (marked.before.length + marked.after.length === 0) return;
      expect(without(before, marked.before)).toBe(without(after, marked.after));
    }),
  );
});
