import { expect, test } from "vitest";
import { parsePhase, parseRefusal } from "./phase.ts";
import type { ResultFile } from "../task.ts";

test.each(["awaiting_ci", "awaiting_review", "escalate", "done", "failed"])(
  "PHASE:%s is a phase",
  (phase) => {
    expect(parsePhase(`PHASE:${phase}\n`)).toEqual({ kind: "phase", phase, reason: undefined });
  },
);

test("white space around and inside the first line does not matter", () => {
  expect(parsePhase(" PHASE: awaiting_ci \r\n")).toMatchObject({ phase: "awaiting_ci" });
});

test("needs_human is the older name of escalate", () => {
  expect(parsePhase("PHASE:needs_human")).toMatchObject({ phase: "escalate" });
});

test("what follows the first line is the reason, with or without its label", () => {
  expect(parsePhase("PHASE:failed\nReason: no disk\nleft\n")).toMatchObject({
    reason: "no disk\nleft",
  });
  expect(parsePhase("PHASE:failed\nno disk")).toMatchObject({ reason: "no disk" });
});

test("an empty file is unwritten", () => {
  expect(["", "\n", " \n\t"].map((text) => parsePhase(text).kind)).toEqual(
    Array(3).fill("unwritten"),
  );
});

test.each(["done", "PHASE:", "PHASE:finished", "phase:done", "\nPHASE:done"])(
  "%j is no phase",
  (text) => {
    expect(parsePhase(text).kind).toBe("invalid");
  },
);

test("a huge file is cut to what people can read", () => {
  const huge = "x".repeat(5_000_000);
  expect(parsePhase(huge)).toEqual({ kind: "invalid", line: "x".repeat(200) });
  const parsed = parsePhase(`PHASE:failed\nReason: ${huge}`);
  expect(parsed.kind === "phase" && parsed.reason?.length).toBe(2000);
});

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
