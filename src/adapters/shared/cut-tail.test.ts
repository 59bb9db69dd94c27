import { expect, test } from "vitest";
import { cutTail } from "./cut-tail.ts";

test("the tail has at most 80 lines", () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
  expect(cutTail(`${lines.join("\n")}\n`).split("\n")).toEqual(lines.slice(-80));
});

test("the tail has at most 8,000 bytes and starts at a whole character", () => {
  const tail = cutTail("ä".repeat(10_000) + "b");
  expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(8000);
  expect(tail).toMatch(/^ä+b$/);
});

test("colours are taken out, and a progress bar is shown in its last state", () => {
  expect(cutTail("\u001b[31mred\u001b[0m\n10 %\r50 %\r100 %\r\nend\r\n")).toBe("red\n100 %\nend");
});
