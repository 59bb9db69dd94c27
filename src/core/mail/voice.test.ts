import { expect, test } from "vitest";
import { full, unmailed } from "./voice.ts";

test("a letter that could not be accepted is reported whole, with the reason", () => {
  const letter = { from: "operator", to: "dev-4", subject: "gate g1 is closed", body: "by ann" };
  expect(unmailed({ ...letter, priority: "normal" }, "the mailbox is full")).toEqual({
    title: "Pawl could not accept a letter to dev-4: gate g1 is closed",
    body: "the mailbox is full\n\nby ann",
  });
  expect(full()).toContain("until you acknowledge some");
});
