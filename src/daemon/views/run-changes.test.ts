import { expect, test } from "vitest";
import { filesIn } from "./run-changes.ts";

const PATCH = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,4 +1,4 @@ function x() {
 one
-two red
+two blue
 three
--- four
+++ four
diff --git a/old.txt b/new.txt
similarity index 100%
rename from old.txt
rename to new.txt
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
diff --git "a/odd \\303\\274\\n<b>.txt" "b/odd \\303\\274\\n<b>.txt"
deleted file mode 100644
--- "a/odd \\303\\274\\n<b>.txt"
+++ /dev/null
@@ -1 +0,0 @@
-gone
\\ No newline at end of file
`;

test("a patch is read as files, with the number of each line on both sides", () => {
  const [first, renamed, binary, odd] = filesIn(PATCH);
  expect(first).toMatchObject({ path: "src/a.ts", status: "changed", added: 2, removed: 2 });
  expect(first?.hunks[0]?.lines.map((line) => [line.kind, line.old, line.new])).toEqual([
    ["same", 1, 1],
    ["removed", 2, null],
    ["added", null, 2],
    ["same", 3, 3],
    ["removed", 4, null],
    ["added", null, 4],
  ]);
  expect(renamed).toMatchObject({ path: "new.txt", old_path: "old.txt", status: "renamed" });
  expect(binary).toMatchObject({ path: "logo.png", status: "added", is_binary: true });
  expect(odd).toMatchObject({ path: "odd ü\n<b>.txt", status: "removed", removed: 1 });
});

test("the words that differ are marked in both lines", () => {
  const lines = filesIn(PATCH)[0]?.hunks[0]?.lines ?? [];
  expect(lines.slice(1, 3).map(({ marks }) => marks)).toEqual([[[4, 7]], [[4, 8]]]);
});

test("a patch that was cut, or none at all, is read as far as it goes", () => {
  expect(filesIn("")).toEqual([]);
  expect(filesIn(PATCH.slice(0, 140))).toHaveLength(1);
});
