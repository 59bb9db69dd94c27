import { expect, test } from "vitest";
import { readGateAnswer } from "./answer.ts";

test.each([
  ["close", { kind: "close", reason: "answered: close" }],
  ["Close: looks good", { kind: "close", reason: "looks good" }],
  ["2", { kind: "refuse", reason: "answered: refuse" }],
  ["refuse, not on a Friday", { kind: "refuse", reason: "not on a Friday" }],
  ["wait\nuntil Monday", { kind: "wait", reason: "until Monday" }],
  ["4", undefined],
  ["closed", undefined],
  ["yes", undefined],
  ["", undefined],
])("%j means %j", (text, meant) => {
  expect(readGateAnswer(text)).toEqual(meant);
});
