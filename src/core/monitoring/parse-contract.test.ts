import { expect, test } from "vitest";
import { contractOf, firstObject, parsePrompt, violations } from "./parse-contract.ts";

const REVIEW = contractOf("review") ?? {};

test("an object is found in a fence, in words and over lines", () => {
  expect(firstObject('Here:\n```json\n{\n "a": {"b": "}"}\n}\n```')).toEqual({ a: { b: "}" } });
  expect(firstObject('{oops} {"x":1} end')).toEqual({ x: 1 });
  expect([firstObject("none"), firstObject("{"), firstObject("[1]")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("keys that are missing or of another type are named", () => {
  const good = {
    status: "SUCCESS",
    summary: "",
    next_action: "proceed",
    issues_found: { critical: 0, high: 0, medium: 0, low: 1 },
    all_fixed: true,
  };
  expect(violations(REVIEW, good)).toEqual([]);
  expect(violations(REVIEW, { ...good, status: "OK", issues_found: {} })).toEqual([
    "status",
    "issues_found",
  ]);
});

test("the prompt holds the end of the output and not its beginning", () => {
  const output = Array.from({ length: 400 }, (_, index) => `line ${index}.`).join("\n");
  const prompt = parsePrompt(REVIEW, output);
  expect(prompt).toContain("line 399.");
  expect(prompt).not.toContain("line 0.");
});

test("a step without a contract has none", () => {
  expect([contractOf("nothing"), contractOf("toString")]).toEqual([undefined, undefined]);
});
