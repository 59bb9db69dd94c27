import { expect, test } from "vitest";
import { cleanText } from "./clean-text.ts";

test("text is made what the prompt box would make of it", () => {
  expect(cleanText("  a\tb\r\nc\u200b\u0007 e\u0301 \n")).toBe("a    b\nc \u00e9");
});

test("an embedded end of the paste cannot submit early", () => {
  expect(cleanText("before\u001b[201~after")).toBe("before[201~after");
});

test("quotes, dollar signs and emoji stay", () => {
  expect(cleanText(`"x" '$HOME' \`y\` 🪝 漢字 ;`)).toBe(`"x" '$HOME' \`y\` 🪝 漢字 ;`);
});

test("what would be a command or quit the program becomes plain words", () => {
  expect(cleanText("!rm -rf x")).toBe("Message: !rm -rf x");
  expect(cleanText("/clear")).toBe("Message: /clear");
  expect(cleanText("exit")).toBe("Message: exit");
  expect(cleanText("a path C:\\")).toBe("a path C:\\ .");
});
