import { expect, test } from "vitest";
import { isDocsOnly } from "./docs-only.ts";

test.each([
  [["README.md"], true],
  [["docs/a.md", "LICENSE", "notes/x.TXT"], true],
  [["docs/a.md", "src/a.ts"], false],
  [["AGENTS.md"], false],
  [[".pawl/guides/planner.md"], false],
  [["sub/.pawl/guides/planner.md"], false],
  [["requirements.txt"], false],
  [["docs/conf.py"], false],
  [[], false],
])("%j is documentation only: %s", (files, only) => {
  expect(isDocsOnly(files)).toBe(only);
});

test("a file that instructs an agent of the factory is no documentation, in any folder", () => {
  expect(isDocsOnly(["sub/ROBOT.md"], ["ROBOT.md"])).toBe(false);
  expect(isDocsOnly(["sub/robot.md"], ["ROBOT.md"])).toBe(false);
  expect(isDocsOnly(["sub/ROBOT.md"])).toBe(true);
});
