import { expect, test } from "vitest";
import { frontMatterOf } from "./front-matter.ts";

test("front matter stands between two lines of --- at the beginning", () => {
  expect(frontMatterOf("---\na: 1\n---\nText")).toEqual({ text: "a: 1", length: 13 });
  expect(frontMatterOf("Text\n---\na: 1\n---\n")).toBeUndefined();
  expect(frontMatterOf("---\na: 1\n")).toBeUndefined();
});
