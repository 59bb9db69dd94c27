import { expect, test } from "vitest";
import { formulaOf } from "../../../test/support/formula.ts";
import { frontMatter } from "./file-issue.ts";

test("front matter names the formula, its variables and its model, with every kind of value", () => {
  const formula = formulaOf(`name = "release"\nmodel = "opus"\n[[steps]]\nid = "a"`);
  expect(frontMatter({ formula, vars: { version: '1.2"\n---\nrm: "x' } })).toBe(
    '---\nformula: "release"\nvars: {"version":"1.2\\"\\n---\\nrm: \\"x"}\nmodel: "opus"\n---\n',
  );
  const plain = formulaOf(`name = "tour"\n[[steps]]\nid = "a"`);
  expect(frontMatter({ formula: plain, vars: {} })).toBe('---\nformula: "tour"\n---\n');
});
