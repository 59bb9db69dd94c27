import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test("a word is quoted so that sh takes it as it is", () => {
  expect(shellWord("it's $(x)")).toBe(`'it'\\''s $(x)'`);
  expect(shellWord("")).toBe("''");
});
