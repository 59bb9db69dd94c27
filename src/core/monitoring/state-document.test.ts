import { expect, test } from "vitest";
import { isComplete, parseStateDocument, updateStateDocument } from "./state-document.ts";

const TEXT = `---
epic: 5
epicName: "Log in"
status: IN_PROGRESS
---
# Epic 5
status: not a key
## Action Log
- 10:00 begun
- 10:05 story 5.3 created
- 10:09 story 5.3 reviewed
`;

test("keys are those of the front matter, and the last action is the log's second line", () => {
  expect(parseStateDocument(TEXT)).toEqual({
    keys: { epic: "5", epicName: "Log in", status: "IN_PROGRESS" },
    lastAction: "10:05 story 5.3 created",
  });
});

test("a text without front matter, or with half of one, is no state document", () => {
  expect(parseStateDocument("# Epic 5\n")).toBeUndefined();
  expect(parseStateDocument("---\nepic: 5\n")).toBeUndefined();
});

test("only keys that are there are changed, and nothing below the front matter", () => {
  const { text, updated } = updateStateDocument(TEXT, { status: "PAUSED", other: "x" });
  expect(updated).toEqual(["status"]);
  expect(text).toBe(TEXT.replace("status: IN_PROGRESS", "status: PAUSED"));
  const hard = `it's "a: b" #1`;
  const changed = updateStateDocument(TEXT, { epicName: hard }).text;
  expect(parseStateDocument(changed)?.keys["epicName"]).toBe(hard);
});

test("only COMPLETE is complete", () => {
  const of = (status: string) => ({ keys: { status }, lastAction: "" });
  expect(["COMPLETE", "ABORTED", ""].map((status) => isComplete(of(status)))).toEqual([
    true,
    false,
    false,
  ]);
});
