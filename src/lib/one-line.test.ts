import { expect, test } from "vitest";
import { oneLine } from "./one-line.ts";

test("lines, tabs and runs of spaces become one space, and none is left at the ends", () => {
  expect(oneLine("\n# a\tb \r\n  c\u2028d ")).toBe("# a b c d");
});
