import { expect, test } from "vitest";
import { jsonText, safeOutput } from "./text.ts";

const ALL = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join("");

test("a pipe gets no control character but newline and tab", () => {
  const out = safeOutput(ALL, { raw: false });
  // oxlint-disable-next-line no-control-regex
  expect(out.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(safeOutput("a\u009b31mb\u001b[2Jc\u0007", { raw: false })).toBe(
    String.raw`a\x9b31mb\x1b[2Jc\x07`,
  );
});

test("lines that end as on Windows stay as they are, a return alone does not", () => {
  expect(safeOutput("a\r\nb\rc\td\n", { raw: false })).toBe("a\r\nb\\x0dc\td\n");
});

test("a terminal gets Pawl's own sequences, and no single character that starts another", () => {
  expect(safeOutput("\u001b[1mbold\u001b[0m \u009b2J \u0085", { raw: true })).toBe(
    "\u001b[1mbold\u001b[0m \\x9b2J \\x85",
  );
});

test("ordinary text of every language passes", () => {
  const text = "äöü 你好 🔑 … – “x”\n";
  expect(safeOutput(text, { raw: false })).toBe(text);
  expect(safeOutput(text, { raw: true })).toBe(text);
});

test("JSON means the same and holds no control character", () => {
  const value = { [ALL]: [ALL, "\u2028\u202e\u2066", "你好"] };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  // oxlint-disable-next-line no-control-regex
  expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
  expect(safeOutput(text, { raw: false })).toBe(text);
});
