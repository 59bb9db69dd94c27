import { expect, test } from "vitest";
import { isDocsOnly } from "./docs-only.ts";

test.each([
  [["README.md"], true],
  [["docs/a.md", "LICENSE", "notes/x.TXT"], true],
  [["docs/a.md", "src/a.ts"], false],
  [["AGENTS.md"], false],
  [["requirements.txt"], false],
  [["docs/conf.py"], false],
  [[], false],
])("%j is documentation only: %s", (files, only) => {
  expect(isDocsOnly(files)).toBe(only);
});
