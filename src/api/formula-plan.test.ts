import { expect, test } from "vitest";
import { summaryOf } from "./formula-plan.ts";

test.each([
  ["Release it.\nMore.", "Release it."],
  [
    "\nKeeps the backlog in a state that\nagents can work from.\n\nMore.",
    "Keeps the backlog in a state that agents can work from.",
  ],
  ["", ""],
])("the summary of %j is %j", (description, summary) => {
  expect(summaryOf(description)).toBe(summary);
});
