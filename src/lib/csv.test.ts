import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("plain fields stay as they are", () => {
  expect(csvLine(["active", 1, 3, "", true])).toBe("active,1,3,,true");
});

test("a label with commas, quotes or line breaks stays one column", () => {
  expect(csvLine(["Running tests, lint, build", 'say "hi"', "a\nb"])).toBe(
    '"Running tests, lint, build","say ""hi""","a\nb"',
  );
});
