import { expect, test } from "vitest";
import type { ResultFile } from "../task.ts";
import { parseRefusal } from "./refusal.ts";

const json = (value: unknown): ResultFile => ({ kind: "text", text: JSON.stringify(value) });

test.each([
  ["refused", { kind: "too_large", reason: "three features" }, "too_large"],
  ["Refused.", { status: "already_done", reason: "since v2" }, "already_done"],
])("%j with its result file is a refusal: %j", (reason, result, kind) => {
  expect(parseRefusal(reason, json(result))).toMatchObject({ kind, reason: result.reason });
});

test("a dependency names the issues it waits for, and perhaps a better one to begin with", () => {
  const result = { kind: "unmet_dependency", blocked_by: ["#12", 3, 12], suggestion: "#3 first" };
  expect(parseRefusal("refused", json(result))).toEqual({
    kind: "unmet_dependency",
    blockedBy: [12, 3],
    suggestion: "#3 first",
  });
});

test.each([
  ["already_done: landed as #9", { kind: "already_done", reason: "landed as #9" }],
  ["too_large", { kind: "too_large", reason: "the agent gave no reason" }],
  ["refused: unmet_dependency #3", { kind: "unmet_dependency", blockedBy: [3] }],
])("%j says it in words", (reason, refusal) => {
  expect(parseRefusal(reason, undefined)).toMatchObject(refusal);
});

test.each([
  [undefined, undefined],
  ["the API has no such call", undefined],
  ["refused", undefined],
  ["refused", { kind: "text", text: "{" } as const],
  ["refused", json({ kind: "lazy" })],
  ["refused", json({ kind: "unmet_dependency", blocked_by: "soon" })],
  ["refused", json(null)],
  ["refused", { kind: "too-large", maxBytes: 1 } as const],
])("%j with %j is no refusal", (reason, result) => {
  expect(parseRefusal(reason, result)).toBeUndefined();
});
