import { expect, test } from "vitest";
import { formulaFailed } from "./messages-formula.ts";

test("a failed formula says why, and where to look", () => {
  expect(formulaFailed("release.1", "tag: exit 1")).toMatchInlineSnapshot(`
    {
      "body": "tag: exit 1

    pawl formula status release.1 shows every step.",
      "title": "formula release.1 failed",
    }
  `);
});
