import { expect, test } from "vitest";
import { parseVerdicts } from "./verdict.ts";

test("a line of its own decides, with a reason and a hash where they are given", () => {
  expect(parseVerdicts("Looks good.\nAPPROVE v-3f2a\n")).toEqual([
    { kind: "approve", id: "v-3f2a", reason: "" },
  ]);
  expect(parseVerdicts("REJECT v-1: not on a Friday")).toEqual([
    { kind: "reject", id: "v-1", reason: "not on a Friday" },
  ]);
  expect(parseVerdicts("APPROVE v-1 sha256:0123456789ab")).toEqual([
    { kind: "approve", id: "v-1", hash: "0123456789ab", reason: "" },
  ]);
  expect(parseVerdicts("APPROVE a\r\nREJECT b\r\n").map(({ id }) => id)).toEqual(["a", "b"]);
});

test("what is quoted, fenced, in the middle of a sentence or in other letters decides nothing", () => {
  const nothing = [
    "> APPROVE v-1",
    "Please APPROVE v-1",
    "approve v-1",
    "APPROVE",
    "APPROVEv-1",
    "APPROVE ../x",
    "```\nAPPROVE v-1\n```",
    "~~~~\nAPPROVE v-1\n~~~\nAPPROVE v-2\n~~~~",
  ];
  for (const text of nothing) expect(parseVerdicts(text), text).toEqual([]);
  expect(parseVerdicts("```\nx\n```\nAPPROVE v-1")).toHaveLength(1);
});
