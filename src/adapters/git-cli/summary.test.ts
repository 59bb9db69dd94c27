import { expect, test } from "vitest";
import { parted } from "./summary.ts";

test("the list of files and the difference are told apart", () => {
  const stat = " a.txt | 1 +\n 1 file changed, 1 insertion(+)";
  const diff = "diff --git a/a.txt b/a.txt\n@@ -0,0 +1 @@\n+diff --git is only text here";
  expect(parted(`${stat}\n\n${diff}`)).toEqual({ stat, diff });
  expect(parted("")).toEqual({ stat: "", diff: "" });
});
