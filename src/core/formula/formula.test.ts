import { expect, test } from "vitest";
import { variableOf } from "./formula.ts";

test("a variable reaches commands under a name of its own", () => {
  expect(variableOf("issue-title")).toBe("PAWL_VAR_ISSUE_TITLE");
});
