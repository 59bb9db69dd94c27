import { expect, test } from "vitest";
import { resultProblem } from "./result-check.ts";

test("a problem of a result is described so that an agent can correct it", () => {
  expect(resultProblem("text", " \n")).toBe("the result file is empty");
  expect(resultProblem("text", "fine")).toBeUndefined();
  expect(resultProblem("json", '{"a": 1}')).toBeUndefined();
  expect(resultProblem("json", "{a")).toContain("the result file is not JSON:");
  expect(resultProblem("text", "x".repeat(60_001))).toContain("at most 60000 are allowed");
  expect(resultProblem("strange", "x")).toBe('Pawl has no check "strange"');
});
