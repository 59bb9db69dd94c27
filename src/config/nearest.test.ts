import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const KNOWN = ["command", "gates", "none", "setup", "pass_env"];

test.each([
  ["comand", "command"],
  ["commnad", "command"],
  ["Gates", "gates"],
  ["pass-env", "pass_env"],
  ["non", "none"],
  ["nnoe", "none"],
])("%s was meant to be %s", (word, meant) => {
  expect(nearest(word, KNOWN)).toBe(meant);
});

test("a word that is near nothing gets no suggestion", () => {
  expect(nearest("webhook", KNOWN)).toBeUndefined();
});
