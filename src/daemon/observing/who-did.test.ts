import { expect, test } from "vitest";
import type { IssueChange } from "../../ports/forge.ts";
import { whoDid } from "./who-did.ts";

const CHANGES: IssueChange[] = [
  { kind: "labelled", label: "blocked", by: "ann", at: 1 },
  { kind: "unlabelled", label: "blocked", by: "bo", at: 2 },
  { kind: "labelled", label: "priority", by: "cy", at: 3 },
  { kind: "labelled", label: "blocked", by: "dee", at: 4 },
];
const blocked = { issue: 1, change: { kind: "labelled", label: "blocked" } } as const;

test("the last one who made the very change is named", async () => {
  expect(await whoDid({ timeline: async () => CHANGES }, blocked)).toEqual({ by: "dee" });
  const closed = { issue: 1, change: { kind: "closed" } } as const;
  expect(await whoDid({ timeline: async () => CHANGES }, closed)).toEqual({});
});

test("a tracker without a record of changes names no account", async () => {
  expect(await whoDid({}, blocked)).toEqual({});
});
