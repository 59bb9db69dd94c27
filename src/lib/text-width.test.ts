import { styleText } from "node:util";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { cutToWidth, textWidth } from "./text-width.ts";

test.each([
  ["", 0],
  ["pawl", 4],
  ["naïve", 5],
  ["e\u0301", 1],
  ["漢字", 4],
  ["한글", 4],
  ["ｆｕｌｌ", 8],
  ["🚀", 2],
  ["👩‍💻", 2],
  ["🇩🇪", 2],
  ["❤️", 2],
  ["✓", 1],
  ["a\u200bb", 2],
])("%j takes %d columns", (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test.each([
  "Größe – naïve, déjà vu …",
  "漢字かな交じり文、。「」",
  "한국어 문장",
  "ｆｕｌｌ ｗｉｄｔｈ ＃４２",
  "✓ ✗ ↩ ▶ … – · ↻ ?",
  "🚀 👩‍💻 🇩🇪 ❤️ 🧑‍🤝‍🧑 1️⃣",
  "עברית العربية ไทย देवनागरी",
  "\u{1F6E0}\ufe0f tools, \u2615 coffee",
])("%j takes as many columns as string-width says", (text) => {
  expect(textWidth(text)).toBe(stringWidth(text));
});

test("colours and hyperlinks take no columns", () => {
  expect(textWidth(styleText("red", "failed", { validateStream: false }))).toBe(6);
  expect(textWidth("\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\")).toBe(4);
});

test("a text that fits is left alone", () => {
  expect(cutToWidth("pawl", 4)).toBe("pawl");
});

test("a text that is too wide ends in an ellipsis within its width", () => {
  expect(cutToWidth("merge-queue", 6)).toBe("merge…");
});

test("a wide character is dropped rather than cut in half", () => {
  expect(cutToWidth("漢字漢字", 6)).toBe("漢字…");
  expect(textWidth(cutToWidth("漢字漢字", 6))).toBeLessThanOrEqual(6);
});

test("a coloured text loses its colour when it is cut", () => {
  expect(cutToWidth(styleText("red", "failed", { validateStream: false }), 4)).toBe("fai…");
});

test("no width leaves nothing", () => {
  expect(cutToWidth("pawl", 0)).toBe("");
});
