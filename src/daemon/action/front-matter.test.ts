import { expect, test } from "vitest";
import { readFrontMatter } from "./front-matter.ts";

test("formula, variables and model are read, and the rest is the text", () => {
  const body = "---\nformula: sweep\nvars:\n  who: Ada\n  times: 3\nmodel: opus\n---\nPlease.\n";
  expect(readFrontMatter(body)).toEqual({
    formula: "sweep",
    vars: { who: "Ada", times: "3" },
    model: "opus",
    rest: "Please.\n",
  });
});

test.each(["", "Please.", "text\n---\nformula: x\n---\n", "---\nno end"])("%j has none", (body) => {
  expect(readFrontMatter(body)).toMatchObject({ formula: undefined, rest: body });
});

test.each([
  ["---\nformula: [\n---\n", "front matter cannot be used"],
  ["---\nformla: x\n---\n", "formla"],
  ["---\nvars: 3\n---\n", "vars"],
  ["---\nvars:\n  files: *.log\n---\n", "front matter cannot be used"],
])("%j is refused with what is wrong", (body, expected) => {
  expect(() => readFrontMatter(body)).toThrow(expected);
});
