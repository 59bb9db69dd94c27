import { expect, test } from "vitest";
import { parsePhase } from "./phase.ts";

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
